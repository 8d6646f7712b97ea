import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { asBuffer } from '../../protocol/answer/frame.ts'
import { asList, asText, type JsonObject } from '../../protocol/values.ts'

/**
 * Keeps responses of providers that keep none themselves, for clients that name the previous one instead of sending the
 * whole conversation (`previous_response_id`). In memory: for a response that is gone the client gets an error.
 */
export interface StoredResponses {
  /**
   * Returns everything before the request that names this response; null: it names none.
   * @throws OnwardError `previous_response_not_found` (400)
   */
  before(previousId: unknown): Items | null
  /** `input` is the whole conversation of the request, `bytes` about its size in memory */
  keep(input: Items, response: KeptResponse, bytes: number): void
}

/**
 * Items of a conversation. A long one is JSON, a list in each piece: it goes to a thread without delay, and no other
 * work waits while forty megabytes are copied into one piece.
 */
export type Items = readonly unknown[] | { readonly json: readonly Uint8Array[] }

export interface KeptResponse {
  id: string
  output: Items
}

const mostResponses = 500
const mostBytes = 64 * 1024 * 1024
const keptForMs = 6 * 60 * 60_000

export function createStoredResponses(clock: Pick<Clock, 'now'>): StoredResponses {
  const stored = new Map<string, { items: Items; bytes: number; at: number }>()
  let held = 0

  const forget = (id: string) => {
    held -= stored.get(id)?.bytes ?? 0
    stored.delete(id)
  }
  const tidy = () => {
    for (const [id, { at }] of stored) {
      if (stored.size <= mostResponses && held <= mostBytes && clock.now() - at <= keptForMs) return
      forget(id)
    }
  }
  return {
    before(previousId) {
      const id = asText(previousId)
      if (id === null) return null
      tidy()
      const before = stored.get(id)
      if (!before) {
        throw new OnwardError(
          'previous_response_not_found',
          `The response ${id} is not known here any more: the provider keeps none, and Onward ` +
            'kept it for six hours or until it was restarted. Send the whole conversation in input.',
          { status: 400 },
        )
      }
      return before.items
    },
    keep(input, { id, output }, bytes) {
      forget(id)
      stored.set(id, { items: joined(input, output), bytes, at: clock.now() })
      held += bytes
      tidy()
    },
  }
}

/** Returns a request's body with the earlier conversation in its `input`. */
export function expanded(body: JsonObject, before: Items | null): JsonObject {
  if (before === null) return body
  const { previous_response_id: _, ...rest } = body
  return { ...rest, input: [...listOf(before), ...itemsOf(body['input'])] }
}

/** Returns the part of a whole response that is kept; null: without an id no request could name it. */
export function keptResponse(response: JsonObject): { id: string; output: readonly unknown[] } | null {
  const id = asText(response['id'])
  return id === null ? null : { id, output: asList(response['output']) }
}

const listOf = (items: Items): readonly unknown[] =>
  'json' in items ? items.json.flatMap((piece) => asList(JSON.parse(asBuffer(piece).toString('utf8')))) : items

/** In memory that threads share, so that it goes to another one as it is, however often. */
export function asJson(items: Items): { json: readonly Uint8Array[] } {
  if ('json' in items) return items
  const text = JSON.stringify(items)
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return { json: [bytes] }
}

/** bytes of the items that are kept as JSON */
export const jsonLength = (items: Items | null): number =>
  items && 'json' in items ? items.json.reduce((sum, piece) => sum + piece.length, 0) : 0

const joined = (first: Items, second: Items): Items =>
  'json' in first || 'json' in second
    ? { json: [...asJson(first).json, ...asJson(second).json] }
    : [...first, ...second]

/** Returns the input as items; a plain text is one user message. */
export const itemsOf = (input: unknown): readonly unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asList(input)
