import { answerEvents, type AnswerEvent, type WholeAnswer } from '../answer/whole-answer.ts'
import { asObject, parseObject, type JsonObject } from '../values.ts'
import * as facts from './facts.ts'
import { callFinder, readCallEntry, type CallFinder } from './call-finder.ts'

/** The answer's first choice as a message; nothing when there is nothing in it. */
export function chatAnswerItems(answer: WholeAnswer): Buffer[] {
  const events = answerEvents(answer)
  const message = events ? messageOf(events) : facts.wholeMessage(firstChoice(parseObject(answer.body)))
  const said = Object.entries({ ...message, ...callsOf(message) }).filter(
    ([name, value]) =>
      name === 'content' || (name === 'function_call' ? facts.legacyCall(message) !== null : saysSomething(value)),
  )
  if (!said.some(([name, value]) => name !== 'role' && saysSomething(value) && value !== '')) return []
  return [Buffer.from(JSON.stringify({ role: 'assistant', ...Object.fromEntries(said) }))]
}

/** Servers write members that they refuse in a request: `tool_calls: []`, `function_call: null` (vLLM), zero values. */
const saysSomething = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

const firstChoice = (value: JsonObject | null): JsonObject | undefined => facts.choices(value).find(facts.isFirst)

function messageOf(events: readonly AnswerEvent[]): JsonObject {
  const found = callFinder<StreamedCall>()
  const message = events.reduce<JsonObject>((before, { value }) => {
    const { tool_calls, ...delta } = facts.message(firstChoice(value))
    for (const entry of facts.calls({ tool_calls })) addEntry(found, entry)
    return merged(before, delta)
  }, {})
  return { ...message, tool_calls: found.calls.map((call) => call.value) }
}

interface StreamedCall {
  index: number | null
  id: string | null
  value: JsonObject
}

function addEntry(found: CallFinder<StreamedCall>, value: JsonObject): void {
  const entry = readCallEntry(value)
  const call = found.find(entry)
  if (call) call.value = merged(call.value, value)
  else found.add({ index: entry.index, id: entry.id, value }, entry)
}

/**
 * Calls as a request carries them: without the `index` of a stream, which OpenAI refuses there, with arguments as text.
 * A call without a name can't be sent back; one without an id gets one made of its place.
 */
function callsOf(message: JsonObject): JsonObject {
  const calls = facts.calls(message).flatMap((call, place) => {
    const entry = readCallEntry(call)
    if (entry.name === null) return []
    // The other kind may stand beside it, empty: in a request it is refused.
    const body = entry.custom
      ? { custom: { ...asObject(call['custom']), name: entry.name, input: entry.text }, function: undefined }
      : { function: { ...asObject(call['function']), name: entry.name, arguments: entry.text }, custom: undefined }
    return [
      {
        ...call,
        id: entry.id ?? `call_${place}`,
        type: entry.custom ? 'custom' : 'function',
        ...body,
        index: undefined,
      },
    ]
  })
  return message['tool_calls'] === undefined ? {} : { tool_calls: calls }
}

/** Members that come whole, not piece by piece. */
const names: readonly string[] = ['role', 'type', 'id', 'index', 'format', 'name']

/**
 * A message and its next delta: words are put together, list entries by their `index`, whatever the members are called.
 */
function merged(before: JsonObject, delta: JsonObject): JsonObject {
  const out: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(delta)) out[name] = mergedValue(name, before[name], value)
  return out
}

function mergedValue(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return Array.isArray(value) ? mergedList([], value) : value
  if (value === undefined || value === null) return before
  if (typeof before === 'string' && typeof value === 'string')
    return names.includes(name) ? before || value : before + value
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
