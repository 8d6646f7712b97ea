import { asList, asObject, parseObject } from '../../values.ts'
import { kindOfItem } from '../item-kinds.ts'

/**
 * Whether events or a body hold something the model produced. A delta that is empty, or a message or a reasoning item
 * that only begins, is nothing yet; a thought may come sealed, without any text. Keys stand in their quotes, which a
 * text inside a string can't have without a backslash.
 */
export function hasContent(chunk: Buffer): boolean {
  if (!signs.some((sign) => chunk.includes(sign))) return chunk[0] === brace && bodySays(chunk)
  const text = chunk.toString('latin1')
  return (
    producedItem.test(text) ||
    filled.test(text) ||
    (text.includes('.delta"') && filledDelta.test(text)) ||
    (text.includes('_text"') && filledText.test(text)) ||
    (text.includes(itemEvent) && text.split('\n\n').some(isOtherItem)) ||
    (chunk[0] === brace && bodySays(chunk))
  )
}

/** A whole body holds an item of a kind that no scan knows. */
const bodySays = (body: Buffer): boolean =>
  asList(parseObject(body)?.['output']).some((item) => kindOfItem(asObject(item) ?? {}).kind !== 'words')
const brace = 0x7b

const itemEvent = '"response.output_item.'
const signs: readonly string[] = [
  '.delta"',
  '_text"',
  '_call"',
  '"reasoning"',
  '"mcp_',
  '"refusal"',
  '"program',
  '"compaction"',
  '_output"',
  '"annotations"',
  '.annotation.added"',
  itemEvent,
]
/** Items that are something whatever is in them (`ResponseOutputItem` of the `openai` package). */
const produced = [
  '[a-z_]+_call(?:_output)?',
  'mcp_approval_request',
  'mcp_list_tools',
  'tool_search_output',
  'program(?:_output)?',
  'compaction',
  'response\\.output_text\\.annotation\\.added',
]
const producedItem = new RegExp(`"type":\\s*"(?:${produced.join('|')})"`)
/** Sealed thinking, a refusal, where the words have their facts from. */
const filled = /"(?:encrypted_content|refusal)":\s*"(?!")|"annotations":\s*\[\s*\{/
const filledDelta = /"delta":\s*"(?!")/
const filledText = /"text":\s*"(?!")/

/** An item of a kind that is not among those above is something as well. */
const isOtherItem = (event: string): boolean =>
  event.includes(itemEvent) && !/"type":\s*"(?:message|reasoning)"/.test(event) && /"item":\s*\{/.test(event)
