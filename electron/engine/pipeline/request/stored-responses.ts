import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { asList, asText, type JsonObject } from '../../protocol/values.ts'

/**
 * Responses of providers that keep none themselves, for clients that name the one before instead of sending the whole
 * conversation (`previous_response_id`). In memory: a client whose response is not known any more is told so.
 */
export interface StoredResponses {
  /** The body with everything said before in its `input`. @throws OnwardError `previous_response_not_found` (400) */
  expand(body: JsonObject): JsonObject
  /** `input` is the whole conversation that was asked with, `bytes` about as much as it takes */
  keep(input: readonly unknown[], response: JsonObject, bytes: number): void
}

const mostResponses = 500
const mostBytes = 64 * 1024 * 1024
const keptForMs = 6 * 60 * 60_000

export function createStoredResponses(clock: Pick<Clock, 'now'>): StoredResponses {
  const stored = new Map<string, { items: readonly unknown[]; bytes: number; at: number }>()
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
    expand(body) {
      const id = asText(body['previous_response_id'])
      if (id === null) return body
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
      const { previous_response_id: _, ...rest } = body
      return { ...rest, input: [...before.items, ...itemsOf(body['input'])] }
    },
    keep(input, response, bytes) {
      const id = asText(response['id'])
      if (id === null) return
      forget(id)
      stored.set(id, { items: [...input, ...asList(response['output'])], bytes, at: clock.now() })
      held += bytes
      tidy()
    },
  }
}

/** The input as items; a plain text is one user message. */
export const itemsOf = (input: unknown): readonly unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asList(input)
