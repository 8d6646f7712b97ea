import { OnwardError } from '../../base/errors.ts'
import type { Frame } from '../answer/frame.ts'
import { member, stringOf, type Span } from '../json-bytes/index.ts'
import { asName, type JsonObject, asNumber, asObject, asObjects, asText, hasValue } from '../values.ts'

/** Every provider seen so far begins an event's data this way. */
const usualStart = '{"type":"'

/** Returns the `type` of an event without parsing it; null if it has none. */
function typeOf(frame: Frame): string | null {
  const { data } = frame
  if (data === null) return null
  // For a large event, such as the final object, the caller may need nothing else.
  const head = data.length > 4096 ? data.toString('latin1', 0, 80) : frame.latin1
  if (head.startsWith(usualStart)) {
    const end = head.indexOf('"', usualStart.length)
    const type = head.slice(usualStart.length, end)
    if (end > 0 && !type.includes('\\')) return type
  }
  try {
    const start = data.indexOf(0x7b)
    return start < 0 ? null : stringOf(data, member(data, { start, end: data.length }, 'type'))
  } catch (error) {
    // Events come from outside: data that is no JSON has no type.
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return null
    throw error
  }
}

/** The `type` of an event, or its name if the data has none. */
export const eventType = (frame: Frame): string => typeOf(frame) ?? frame.name

/**
 * Finds the string token after a key, wherever the key is, without parsing. `latin1` has one character per byte, so an
 * index in it is an index in the bytes. The key is matched with its quotes and colon: text that merely contains the
 * word can't match, because a quote inside a string has a backslash before it.
 */
export function stringBehind(latin1: string, key: string): Span | null {
  const quoted = `"${key}"`
  for (let at = latin1.indexOf(quoted); at >= 0; at = latin1.indexOf(quoted, at + 1)) {
    if (latin1.charCodeAt(at - 1) === backslash) continue
    const colon = skipSpace(latin1, at + quoted.length)
    if (latin1[colon] !== ':') continue
    const start = skipSpace(latin1, colon + 1)
    if (latin1[start] !== '"') continue
    const end = closingQuote(latin1, start + 1)
    return end < 0 ? null : { start, end: end + 1 }
  }
  return null
}

const backslash = 0x5c

function skipSpace(text: string, from: number): number {
  let i = from
  for (let c = text.charCodeAt(i); c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d; c = text.charCodeAt(i)) i++
  return i
}

/** Returns where a string ends, given an index within it; below 0: it does not end here. */
function closingQuote(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 1)) {
    let before = i
    while (before > from && text.charCodeAt(before - 1) === backslash) before--
    if ((i - before) % 2 === 0) return i
  }
  return -1
}

/**
 * A gateway that asks its model again splices a second answer into the first, and no part of the result can be trusted
 * to be whole.
 */
export const restarted = {
  code: 'upstream-restarted',
  message: 'The provider began a second answer in the middle of its first.',
}

/**
 * Watches the events that begin an answer: there is only one answer. The very same beginning sent twice does not count
 * as a second answer, as long as there was no content yet (`said`).
 */
export function beginnings(): { again(head: JsonObject, said: boolean): boolean } {
  let first: { id: string | null } | null = null
  return {
    again(head, said) {
      const id = asName(head['id'])
      if (first === null) {
        first = { id }
        return false
      }
      return said || id === null || id !== first.id
    },
  }
}

/**
 * Most events of an answer differ in one string, its next words. The bytes around that string are compared with those
 * of the event before: if they are the same, the event holds nothing else new, and is never decoded.
 */
interface SameAround {
  /** returns the string token of an event like the last learned one, in its `dataSource`; null if the event differs */
  tokenIn(frame: Frame): Span | null
  /** remembers an event of which only this token of its data matters */
  learn(frame: Frame, token: Span): void
}

const quote = 0x22

export function sameAround(): SameAround {
  let before: Buffer | null = null
  let behind: Buffer = nothing
  return {
    tokenIn({ dataSource, dataStart, dataEnd }) {
      if (before === null) return null
      const start = dataStart + before.length
      const end = dataEnd - behind.length
      if (
        end < start ||
        dataSource.compare(before, 0, before.length, dataStart, start) !== 0 ||
        dataSource.compare(behind, 0, behind.length, end, dataEnd) !== 0
      )
        return null
      // The first quote without a backslash has to be the one that `behind` begins with.
      let i = start
      for (; i < end; i++) {
        const byte = dataSource[i]
        if (byte === quote) return null
        if (byte === backslash) i++
      }
      return i === end ? { start: start - 1, end: end + 1 } : null
    },
    learn({ dataSource, dataStart, dataEnd }, token) {
      before = Buffer.from(dataSource.subarray(dataStart, dataStart + token.start + 1))
      behind = Buffer.from(dataSource.subarray(dataStart + token.end - 1, dataEnd))
    },
  }
}

const nothing: Buffer = Buffer.alloc(0)

export interface ProviderError {
  code: string
  message: string
}

/**
 * Returns the error a provider reports in an answer or event, in any of the shapes in use; null if there is none. Typed
 * servers fill the member in with zero values where there is none.
 */
export function errorIn(value: JsonObject): ProviderError | null {
  const { error } = value
  // A code of 0 is success.
  if (typeof error === 'string' && error !== '') return { code: codeOf(value) ?? 'provider-error', message: error }
  const object = asObject(error)
  if (object && hasValue({ ...object, code: object['code'] || null })) return describe(object)
  // Releases of vLLM up to 0.9 send `{"object":"error","message":…,"code":400}`, also within a stream.
  if (value['object'] === 'error') return describe(value)
  return statusError(asObject(value['base_resp'])) ?? bareError(value)
}

/**
 * An error without a member for it, which some gateways send with status 200: `{"code":500,"msg":…,"success":false}`
 * (Z.ai), `{"code":20015,"message":…,"data":null}` (SiliconFlow), `{"error_code":…,"error_msg":…}` (Baidu),
 * `{"success":false,"errors":[…]}` (Cloudflare).
 */
function bareError(value: JsonObject): ProviderError | null {
  if (answerMembers.some((name) => name in value)) return null
  const first = value['success'] === false ? asObjects(value['errors'])[0] : undefined
  if (first) return describe(first)
  const message = asName(value['message']) ?? asName(value['msg']) ?? asName(value['error_msg'])
  const code = codeOf(value)
  return message !== null && (code !== null || value['success'] === false) ? describe({ code, message }) : null
}

/** Members that only an answer has, or an event of one. */
const answerMembers = ['choices', 'content', 'output', 'candidates', 'response', 'type', 'delta']

/** A code that is none of success. */
function codeOf(value: JsonObject): string | null {
  const code = value['code'] ?? value['error_code']
  const text = typeof code === 'number' ? String(code) : asName(code)
  return text === null || /^(?:0|2\d\d|success|ok)$/i.test(text) ? null : text
}

/**
 * MiniMax puts a status in each answer; 0 is success.
 * https://platform.minimax.io/docs/api-reference/errorcode
 */
function statusError(status: JsonObject | null): ProviderError | null {
  const code = asNumber(status?.['status_code']) ?? 0
  return code === 0 ? null : describe({ code, message: status?.['status_msg'] })
}

/** Reads `{code?, type?, message?}` as a provider writes it. */
export function describe(error: JsonObject): ProviderError {
  const code = error['code']
  return {
    code: asText(code) ?? (typeof code === 'number' ? String(code) : null) ?? asText(error['type']) ?? 'provider-error',
    message: asText(error['message']) ?? 'The provider reported an error without saying which.',
  }
}
