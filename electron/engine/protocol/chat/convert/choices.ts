import { asName, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'

/**
 * Returns the first choice: other protocols have no place for more. GitHub Copilot spreads one answer of Claude over
 * several entries of the same index, or of none: the text in one, the calls in the next; they come joined.
 * https://github.com/ericc-ch/copilot-api/pull/81
 */
export function firstChoice(value: JsonObject, dropped: (name: string) => void): JsonObject | null {
  let first: JsonObject | null = null
  for (const choice of facts.choices(value)) {
    const isFirst = facts.isFirst(choice)
    if (isFirst && first === null) first = choice
    else if (first && isFirst && goesOn(first, choice)) first = joined(first, choice)
    else dropped('choices[1..]')
  }
  return first
}

/** Without an index, a second text is another answer. */
const goesOn = (first: JsonObject, next: JsonObject): boolean =>
  next['index'] !== undefined ||
  asName(facts.wholeMessage(first)['content']) === null ||
  asName(facts.wholeMessage(next)['content']) === null

function joined(first: JsonObject, next: JsonObject): JsonObject {
  const before = facts.wholeMessage(first)
  const after = facts.wholeMessage(next)
  const message: Record<string, unknown> = { ...before }
  for (const [name, given] of Object.entries(after)) {
    const had = message[name]
    if (given === null || given === '') continue
    const both = typeof had === 'string' && typeof given === 'string' && name !== 'role'
    message[name] = both ? had + given : given
  }
  const calls = [...facts.calls(before), ...facts.calls(after)]
  if (calls.length > 0) message['tool_calls'] = calls
  const finish = facts.finish(first) ?? facts.finish(next)
  return { ...first, finish_reason: finish, [first['message'] === undefined ? 'delta' : 'message']: message }
}
