import { answerEvents, type WholeAnswer } from '../../answer/whole-answer.ts'
import { member } from '../../json-bytes/index.ts'
import { elementsOf, rootOf } from '../../json-bytes/walk.ts'
import type { HiddenNames, PlacedCall, RoundSaid } from '../../server-tools/types.ts'
import { asObject, asText, parseObject } from '../../values.ts'
import { messagesAnswerItems } from '../append-round.ts'
import * as facts from '../facts.ts'
import { isHidden } from './filter.ts'

/** Reads one round's answer; of a malformed one, what can be read. */
export function readAnswer(answer: WholeAnswer, names: HiddenNames): RoundSaid {
  const events = answerEvents(answer)
  if (!events && !parseObject(answer.body)) return { items: [], text: '', hidden: [], calls: [] }
  const items = messagesAnswerItems(answer)
  const written = events ? writtenArguments(events) : null
  let text = ''
  const hidden: PlacedCall[] = []
  const calls: string[] = []
  for (const json of items.flatMap((item) => elementsOf(item, 'content'))) {
    const block = parseObject(json)
    text += facts.text(block)
    if (!facts.isCall(block)) continue
    const id = asText(block?.['id']) ?? ''
    if (!isHidden(block, names)) {
      calls.push(id)
      continue
    }
    const call = { id, name: asText(block?.['name']) ?? '', arguments: written?.get(id) || inputOf(json) }
    hidden.push({ call, json: json.toString(), callsBefore: calls.length })
  }
  return { items, text, hidden, calls }
}

function inputOf(block: Buffer): string {
  const at = member(block, rootOf(block), 'input')
  return at ? block.toString('utf8', at.start, at.end) : '{}'
}

/** Arguments as the model wrote them, by the call's id: what is no JSON is not in the block that goes back. */
function writtenArguments(events: NonNullable<ReturnType<typeof answerEvents>>): Map<string, string> {
  const written = new Map<string, string>()
  const open = new Map<unknown, string>()
  for (const { type, value } of events) {
    const block = facts.block(value)
    if (type === 'content_block_start') open.set(value['index'], facts.isCall(block) ? (asText(block['id']) ?? '') : '')
    const id = open.get(value['index'])
    if (type === 'content_block_delta' && id)
      written.set(id, (written.get(id) ?? '') + (asText(asObject(value['delta'])?.['partial_json']) ?? ''))
  }
  return written
}
