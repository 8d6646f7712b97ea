import { appendItems, type Wrap } from '../../append/append-items.ts'
import { userMessage } from '../../append/user-message.ts'
import { listOf, memberEdits, rootOf } from '../../json-members.ts'
import { isString, type Edit } from '../../json-bytes/index.ts'
import type { CallResult } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { ofConversation } from '../append-round.ts'

/** The protocol has no mark for a failed call: the text says it. */
export const resultsBeside = (results: readonly CallResult[]): string[] =>
  results.map(({ call, text }) => JSON.stringify({ type: 'function_call_output', call_id: call.id, output: text }))

export const resultItems = (results: readonly CallResult[]): Buffer[] =>
  resultsBeside(results).map((json) => Buffer.from(json))

export const userItem = userMessage

/** A conversation kept by the provider already has all that was sent and answered: the next request only adds to it. */
export function appendToInput(lens: RequestLens, items: readonly Buffer[]): Edit[] {
  const input = lens.place('input')
  if (input && ofConversation(lens)) return [{ ...input, replacement: listOf(items) }]
  return appendItems(lens, 'input', items, bareText)
}

/** An input that is a plain text is the user's message. */
export const bareText: Wrap = (body, at) => (isString(body, at) ? asUserMessage : null)
const asUserMessage = { before: '{"role":"user","content":', after: '}' }

/** Puts results before the input of a request that names the answer, and not its items: the provider has the calls. */
export function resultsInFront(lens: RequestLens, results: readonly string[]): Edit[] {
  if (results.length === 0) return []
  const { body } = lens
  const input = lens.place('input')
  const list = `[${results.join(',')}]`
  if (!input) return memberEdits(body, rootOf(body), { input: list })
  const around = bareText(body, input)
  // Inserts, so that markers may be taken out of the text at the same time.
  if (around)
    return [
      { start: input.start, end: input.start, replacement: `[${results.join(',')},${around.before}` },
      { start: input.end, end: input.end, replacement: `${around.after}]` },
    ]
  const [first] = lens.items()
  if (!first) return [{ ...input, replacement: list }]
  return [{ start: first.start, end: first.start, replacement: `${results.join(',')},` }]
}
