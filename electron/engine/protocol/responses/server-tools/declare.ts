import { declareBehind } from '../../lens/lens.ts'
import { type Edit, members, stringOf, type Span } from '../../json-bytes/index.ts'
import { mentions } from '../../needs/parts.ts'
import { type ToolDeclaration, writtenOnce, withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asName, asObject, asText, parseObject, type JsonObject } from '../../values.ts'
import { additionalTools, responsesDialect } from '../request-lens.ts'
import { visibleText } from './visible-text.ts'

/**
 * Returns the names of the client's tools: functions and custom ones, those within a namespace too, and the vendor's
 * own, which are named by their type.
 */
export function clientTools(lens: RequestLens): string[] {
  return [...asList(lens.value('tools')), ...laterTools(lens)].flatMap((tool) => namesOf(asObject(tool)))
}

function namesOf(tool: JsonObject | null): string[] {
  if (!tool) return []
  // Chat puts a function's members one level deeper; some clients of this protocol do the same.
  const name = asName(tool['name']) ?? asName(asObject(tool['function'])?.['name'])
  const type = asText(tool['type']) ?? ''
  // `web_search_preview_2025_03_11` is a web search as well.
  const ofType = type.startsWith('web_search') ? ['web_search', type] : [type]
  return [
    ...(name === null ? ofType : [name]),
    ...asList(tool['tools']).flatMap((inner) => namesOf(asObject(inner))),
  ].filter((found) => found !== '')
}

/** Returns the tools that a search for tools found in the course of the conversation. */
function laterTools({ body, items }: RequestLens): unknown[] {
  return items()
    .filter((item) => mentions(body, item, '"tool_search_output"') || mentions(body, item, '"additional_tools"'))
    .flatMap((at) => {
      const item = parseObject(body.subarray(at.start, at.end))
      return item?.['type'] === 'tool_search_output' || item?.['type'] === 'additional_tools'
        ? asList(item['tools'])
        : []
    })
}

export function cannotDeclare(lens: RequestLens): string | null {
  // Its answer is fetched later, from the provider.
  if (lens.value('background') === true) return 'a background response'
  const tools = lens.value('tools') ?? null
  if (tools !== null && !Array.isArray(tools)) return 'tools is no list'
  // Tools of the request would replace those the prompt was stored with.
  return tools === null && (lens.value('prompt') ?? null) !== null ? 'a stored prompt with tools of its own' : null
}

/** Adds the tools where the client declares its own. */
export const declareTools = (lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] =>
  declareBehind(lens, lens.place('tools') ?? additionalTools(lens.body, lens.items()), tools.map(declaration))

const declaration = writtenOnce(({ name, description, parameters, strict }) => ({
  type: 'function',
  name,
  description,
  parameters,
  strict,
}))

/** Neighbouring items of an answer, and the results after them. */
interface Run extends AssistantTurn {
  endsWithCall: boolean
  results: readonly string[]
}

/** the most calls of one answer that are looked for between results */
const mostInterleaved = 8

/**
 * Returns the answers of the history: each run of items that the model made. Some clients put each call's result right
 * after it (`[call A][result A][call B][result B]`), which looks the same as two answers. Then both readings are
 * returned: the single answers and their combinations, ordered by their last item. Only one of them can have the calls
 * of an answer that was really given.
 */
export function responsesTurns(lens: RequestLens): AssistantTurn[] {
  const { body } = lens
  const turns: AssistantTurn[] = []
  /** runs with nothing but results between them */
  let chain: Run[] = []
  let open: Run | null = null

  function end(): void {
    if (!open) return
    chain.push(open)
    turns.push(turnOf([open]))
    for (
      let from = chain.length - 2;
      from >= 0 && from > chain.length - 1 - mostInterleaved && mayContinue(chain[from]);
      from--
    )
      turns.push(turnOf(chain.slice(from)))
    open = null
  }

  for (const [index, at] of lens.items().entries()) {
    const { kind, text, call, result } = itemAt(body, at)
    if (kind === 'answer') {
      open ??= { first: index, last: index, text: '', calls: [], endsWithCall: false, results: [] }
      open = {
        ...open,
        last: index,
        text: open.text + text,
        calls: call === null ? open.calls : [...open.calls, call],
        endsWithCall: call !== null,
      }
      continue
    }
    end()
    const last = chain.at(-1)
    if (kind === 'result' && last) chain[chain.length - 1] = { ...last, results: [...last.results, result] }
    else chain = []
  }
  end()
  return turns
}

/** True for a run that ends in one call with its own result after it: more of the same answer may follow. */
function mayContinue(run: Run | undefined): boolean {
  return (
    run?.endsWithCall === true && run.calls.length === 1 && run.results.length === 1 && run.results[0] === run.calls[0]
  )
}

function turnOf(runs: readonly Run[]): AssistantTurn {
  return {
    first: runs[0]?.first ?? 0,
    last: runs.at(-1)?.last ?? 0,
    text: runs.map((run) => run.text).join(''),
    calls: runs.flatMap((run) => run.calls),
  }
}

/** True if an item counts as part of an answer, as in `responsesTurns`. */
export const isOfAnswer = (body: Buffer, item: Span): boolean => itemAt(body, item).kind === 'answer'

interface Item {
  kind: 'answer' | 'result' | 'other'
  text: string
  call: string | null
  result: string
}

function itemAt(body: Buffer, at: Span): Item {
  const [typeAt = null, idAt = null] = members(body, at, ['type', 'call_id'])
  const type = stringOf(body, typeAt) ?? 'message'
  const { role } = responsesDialect.view(body, at)
  const id = stringOf(body, idAt) ?? ''
  const other: Item = { kind: 'other', text: '', call: null, result: '' }
  if (role === 'tool') return { ...other, kind: 'result', result: id }
  // Lists of a server's tools and references are part of an answer too; the referenced item is not known here.
  if (role !== 'assistant' && type !== 'mcp_list_tools' && type !== 'item_reference') return other
  const text = type === 'message' ? withoutBlanks(visibleText(parseObject(body.subarray(at.start, at.end)) ?? {})) : ''
  return { ...other, kind: 'answer', text, call: type.endsWith('_call') && id !== '' ? id : null }
}
