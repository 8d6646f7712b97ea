import { answerEvents, type AnswerEvent, type WholeAnswer } from '../append/answer-events.ts'
import { asList, asNumber, asObject, parseObject, type JsonObject } from '../values.ts'

/** The answer's first choice as a message; nothing when there is nothing in it. */
export function chatAnswerItems(answer: WholeAnswer): Buffer[] {
  const events = answerEvents(answer)
  const message = events ? messageOf(events) : asObject(firstChoice(parseObject(answer.body) ?? {})?.['message'])
  const said = Object.entries(message ?? {}).filter(([name, value]) => name === 'content' || saysSomething(value))
  if (!said.some(([name, value]) => name !== 'role' && saysSomething(value) && value !== '')) return []
  return [Buffer.from(JSON.stringify({ role: 'assistant', ...Object.fromEntries(said) }))]
}

/** Servers write members that they refuse in a request: `tool_calls: []`, `function_call: null` (vLLM). */
const saysSomething = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

const firstChoice = (value: JsonObject): JsonObject | null =>
  asList(value['choices']).map(asObject).find((choice) => (asNumber(choice?.['index']) ?? 0) === 0) ?? null

function messageOf(events: readonly AnswerEvent[]): JsonObject {
  return events.reduce<JsonObject>((message, { value }) => merged(message, asObject(firstChoice(value)?.['delta']) ?? {}), {})
}

/** Named once, not written piece by piece. */
const names: readonly string[] = ['role', 'type', 'id', 'index', 'format', 'name']

/** A message and its next delta: words are put together, list entries by their `index`, whatever the members are called. */
function merged(before: JsonObject, delta: JsonObject): JsonObject {
  const out: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(delta)) out[name] = mergedValue(name, before[name], value)
  return out
}

function mergedValue(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return Array.isArray(value) ? mergedList([], value) : value
  if (value === undefined || value === null) return before
  if (typeof before === 'string' && typeof value === 'string') return names.includes(name) ? before || value : before + value
  if (Array.isArray(before) && Array.isArray(value)) return mergedList(before, value)
  const [a, b] = [asObject(before), asObject(value)]
  return a && b ? merged(a, b) : value
}

function mergedList(before: readonly unknown[], added: readonly unknown[]): unknown[] {
  const out = [...before]
  for (const entry of added) {
    const index = asObject(entry)?.['index']
    const at = index === undefined ? -1 : out.findIndex((known) => asObject(known)?.['index'] === index)
    const known = asObject(out[at])
    if (known) out[at] = merged(known, asObject(entry) ?? {})
    else out.push(entry)
  }
  return out
}
