import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { asBuffer } from '../../protocol/answer/frame.ts'
import { asList, asText, type JsonObject } from '../../protocol/values.ts'

/**
 * Responses of providers that keep none themselves, for clients that name the one before instead of sending the whole
 * conversation (`previous_response_id`). In memory: a client whose response is not known any more is told so.
 */
export interface StoredResponses {
  /**
   * Everything said before the request that names this response; null: it names none.
   * @throws OnwardError `previous_response_not_found` (400)
   */
  before(previousId: unknown): Items | null
  /** `input` is the whole conversation that was asked with, `bytes` about as much as it takes */
  keep(input: Items, response: KeptResponse, bytes: number): void
}

/** Items of a conversation; of a long one as JSON, which takes no time to be handed to a thread. */
export type Items = readonly unknown[] | Uint8Array

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

/** A request's body with what was said before in its `input`. */
export function expanded(body: JsonObject, before: Items | null): JsonObject {
  if (before === null) return body
  const { previous_response_id: _, ...rest } = body
  return { ...rest, input: [...listOf(before), ...itemsOf(body['input'])] }
}

/** What is kept of a whole response; null: nobody could name it. */
export function keptResponse(response: JsonObject): { id: string; output: readonly unknown[] } | null {
  const id = asText(response['id'])
  return id === null ? null : { id, output: asList(response['output']) }
}

const listOf = (items: Items): readonly unknown[] =>
  items instanceof Uint8Array ? asList(JSON.parse(asBuffer(items).toString('utf8'))) : items
export const asJson = (items: Items): Buffer =>
  items instanceof Uint8Array ? asBuffer(items) : Buffer.from(JSON.stringify(items))

function joined(first: Items, second: Items): Items {
  if (!(first instanceof Uint8Array) && !(second instanceof Uint8Array)) return [...first, ...second]
  const [one, two] = [asJson(first), asJson(second)]
  if (two.length === empty.length) return one
  if (one.length === empty.length) return two
  return Buffer.concat([one.subarray(0, -1), Buffer.from(','), two.subarray(1)])
}
const empty = '[]'

/** The input as items; a plain text is one user message. */
export const itemsOf = (input: unknown): readonly unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asList(input)
