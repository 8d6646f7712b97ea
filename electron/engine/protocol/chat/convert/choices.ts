import { asList, asName, asNumber, asObject, type JsonObject } from '../../values.ts'
import { reasonOfChoice } from '../finish.ts'
import { callEntries } from '../message.ts'

/**
 * The first choice: others can't be said in other protocols. GitHub Copilot spreads one answer of Claude over several
 * entries of the same index, or of none: the text in one, the calls in the next; they come joined.
 * https://github.com/ericc-ch/copilot-api/pull/81
 */
export function firstChoice(value: JsonObject, dropped: (name: string) => void): JsonObject | null {
  let first: JsonObject | null = null
  for (const entry of asList(value['choices'])) {
    const choice = asObject(entry)
    if (!choice) continue
    const isFirst = (asNumber(choice['index']) ?? 0) === 0
    if (isFirst && first === null) first = choice
    else if (first && isFirst && goesOn(first, choice)) first = joined(first, choice)
    else dropped('choices[1..]')
  }
  return first
}

const messageOf = (choice: JsonObject): JsonObject => asObject(choice['message']) ?? asObject(choice['delta']) ?? {}

/** Without an index, a second text is another answer. */
const goesOn = (first: JsonObject, next: JsonObject): boolean =>
  next['index'] !== undefined ||
  asName(messageOf(first)['content']) === null ||
  asName(messageOf(next)['content']) === null

function joined(first: JsonObject, next: JsonObject): JsonObject {
  const before = messageOf(first)
  const after = messageOf(next)
  const message: Record<string, unknown> = { ...before }
  for (const [name, given] of Object.entries(after)) {
    const had = message[name]
    if (given === null || given === '') continue
    const both = typeof had === 'string' && typeof given === 'string' && name !== 'role'
    message[name] = both ? had + given : given
  }
  const calls = [...callEntries(before), ...callEntries(after)]
  if (calls.length > 0) message['tool_calls'] = calls
  const finish = reasonOfChoice(first) ?? reasonOfChoice(next)
  return { ...first, finish_reason: finish, [first['message'] === undefined ? 'delta' : 'message']: message }
}
