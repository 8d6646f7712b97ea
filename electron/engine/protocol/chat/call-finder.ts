import type { Mutable } from '../../base/mutable.ts'
import { jsonEnd } from '../canonical/json-end.ts'
import { asName, asNumber, asObject, asText, type JsonObject } from '../values.ts'

/** An entry of `tool_calls`, of a delta or of a message. */
interface CallEntry {
  index: number | null
  id: string | null
  name: string | null
  custom: boolean
  /** arguments of a function, input of a custom tool, as far as they are in this entry */
  text: string
}

export function readCallEntry(value: JsonObject): CallEntry {
  const { custom, part } = calledIn(value)
  return {
    index: asNumber(value['index']),
    id: asName(value['id']),
    name: asName(part['name']),
    custom,
    text: textOf(part[custom ? 'input' : 'arguments']),
  }
}

/**
 * Returns what an entry calls. Snowflake Cortex puts both kinds into each entry, the other one with zero values
 * (`custom: {"name":"","input":""}`, or nulls): the one that says something counts, then the entry's `type`.
 */
function calledIn(value: JsonObject): { custom: boolean; part: JsonObject } {
  const custom = asObject(value['custom'])
  const fn = asObject(value['function'])
  if (!custom) return { custom: !fn && value['type'] === 'custom', part: fn ?? value }
  const isFunction = fn !== null && (says(fn) || (!says(custom) && value['type'] !== 'custom'))
  return isFunction ? { custom: false, part: fn } : { custom: true, part: custom }
}

/** True for an entry that names nothing, with arguments that say nothing: alone it is no call. */
export const isBlank = ({ id, name, text }: Pick<CallEntry, 'id' | 'name' | 'text'>): boolean =>
  id === null && name === null && /^\s*(?:\{\s*\}|null)?\s*$/.test(text)

const says = (part: JsonObject): boolean =>
  Object.values(part).some((member) => member !== '' && member !== null && member !== undefined)

/** Some servers send the arguments as an object. */
const textOf = (args: unknown): string =>
  asText(args) ?? (args === undefined || args === null ? '' : JSON.stringify(args))

/**
 * Calls of one stream, which come in pieces. Servers leave out the index or the id, or repeat an index for every call.
 */
export interface CallFinder<Call> {
  readonly calls: readonly Call[]
  /** the call that a delta's entry goes on with; null: it begins one, which the caller has to `add` */
  find(entry: CallEntry): Call | null
  add(call: Call, entry: CallEntry): void
  /** a function's arguments are whole, as far as they came */
  isWhole(call: Call): boolean
}

export function callFinder<Call extends { index: number | null; id: string | null }>(): CallFinder<Call> {
  const calls: Call[] = []
  /** the last call of each: a model may make more calls than could be searched for every piece */
  const byId = new Map<string, Call>()
  const byIndex = new Map<number, Call>()
  const came = new Map<Call, { name: string | null; json: ReturnType<typeof jsonEnd> }>()
  let last: Call | null = null

  function callOf({ index, id, name, text, custom }: CallEntry): Call | null {
    if (index === null) {
      if (id !== null) return byId.get(id) ?? null
      return name === null ? last : null
    }
    const same = last?.index === index ? last : (byIndex.get(index) ?? null)
    if (same === null || name === null) return same
    if (id !== null && same.id !== null) return same.id === id ? same : null
    // After whole arguments, an entry with a name begins the next call if it has text or another name.
    const begins = text !== '' || name !== came.get(same)?.name
    return !custom && begins && isWhole(same) ? null : same
  }

  function hear(call: Call, { name, text }: CallEntry): void {
    const so = came.get(call) ?? { name, json: jsonEnd() }
    so.name ??= name
    so.json.push(text)
    came.set(call, so)
    last = call
  }
  const isWhole = (call: Call): boolean => came.get(call)?.json.whole() ?? false

  return {
    isWhole,
    calls,
    find(entry) {
      const call = callOf(entry)
      if (call) {
        if (call.id === null && entry.id !== null) {
          call.id = entry.id
          byId.set(entry.id, call)
        }
        hear(call, entry)
      }
      return call
    },
    add(call, entry) {
      calls.push(call)
      if (call.id !== null) byId.set(call.id, call)
      if (call.index !== null) byIndex.set(call.index, call)
      hear(call, entry)
    },
  }
}

/** Splits the content of an answer into thinking and text. */
interface ThoughtTags {
  /** what comes next is thinking */
  readonly open: boolean
  split(content: string, message: JsonObject): { thinking: string; text: string }
  /** what was kept back because a closing tag might have begun */
  rest(): string
}

const opening = '<thought>'
const closing = '</thought>'

/**
 * Google's OpenAI endpoint shows thinking (`include_thoughts`) as content between tags and marks the deltas with
 * `extra_content.google.thought`; the closing tag stands before the first word of the answer. Only a marked delta opens
 * a thought, so the same tag in a text stays text. https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export function thoughtTags(): ThoughtTags {
  let held = ''
  const tags: Mutable<ThoughtTags> = {
    open: false,
    split(content, message) {
      const wasOpen = tags.open
      if (!wasOpen && !(content.startsWith(opening) && isThought(message))) return { thinking: '', text: content }
      const all = held + (wasOpen ? content : content.slice(opening.length))
      const end = all.indexOf(closing)
      const open = end < 0
      tags.open = open
      held = open ? all.slice(all.length - begunTag(all)) : ''
      return open
        ? { thinking: all.slice(0, all.length - held.length), text: '' }
        : { thinking: all.slice(0, end), text: all.slice(end + closing.length) }
    },
    rest() {
      const rest = held
      held = ''
      return rest
    },
  }
  return tags
}

const isThought = (message: JsonObject): boolean =>
  asObject(asObject(message['extra_content'])?.['google'])?.['thought'] === true

/** True if `extra_content` says that the content is a thought, and nothing else (a signature, for one). */
export const marksThought = (message: JsonObject): boolean =>
  isThought(message) && JSON.stringify(message['extra_content']) === '{"google":{"thought":true}}'

/** Returns how many characters at the end of a text may be the beginning of the closing tag. */
function begunTag(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--)
    if (text.endsWith(closing.slice(0, length))) return length
  return 0
}

/**
 * An entry of `tool_calls` that the vendor has run itself: it asks nothing of the client. Chat's own types are
 * `function` and `custom` (`ChatCompletionMessageToolCall` of the `openai` package), Moonshot's `builtin_function` goes
 * back to it through the client (platform.moonshot.ai/docs/guide/use-web-search). xAI lists its searches as
 * `web_search_call`, `x_search_call` … (docs.x.ai/developers/tools/overview), Zhipu its own with a member named like
 * the type (`mcp`, `web_browser`, `code_interpreter`; docs.bigmodel.cn). null: the client's.
 */
export function vendorRan(call: JsonObject): { type: string; label: string } | null {
  const type = asName(call['type'])
  if (type === null || type === 'function' || type === 'custom' || type === 'builtin_function') return null
  const isCall = asObject(call['function']) !== null || asObject(call['custom']) !== null
  if (isCall && !type.endsWith('_call')) return null
  return { type, label: labelOf(type) }
}

function labelOf(type: string): string {
  if (/search|brows|retriev/.test(type)) return /file|collection|retriev/.test(type) ? 'file search' : 'web search'
  if (/code|program|python/.test(type)) return 'code run'
  return 'tool run'
}
