/**
 * What one event of a Responses answer says. A whole body is the response that the last event holds. Everybody who
 * understands answers asks here, and nothing is read that nobody asks for.
 */
import { describe, errorIn, type ProviderError } from '../observe/errors.ts'
import { asList, asObject, asText, type JsonObject } from '../values.ts'

/** The response that an event begins or ends, with all of it that is known so far. */
export const response = (event: JsonObject | null): JsonObject => asObject(event?.['response']) ?? {}

export const item = (event: JsonObject | null): JsonObject | null => asObject(event?.['item'])

/** The parts of a message. */
export const parts = (message: JsonObject | null): (JsonObject | null)[] => asList(message?.['content']).map(asObject)

/** Words of a part; what it says instead where it refuses is none. */
export const text = (part: JsonObject | null): string => asText(part?.['text']) ?? ''

export const isRefusal = (part: JsonObject | null): boolean => part?.['type'] === 'refusal'

/** Counts of a response, as the vendor names them. */
export const usage = (value: JsonObject | null): JsonObject | null => asObject(value?.['usage'])

const finishes: Partial<Record<string, 'completed' | 'incomplete' | 'failed'>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
}

/** How a response ends with an event of this type, whatever its status member holds; null: it goes on. */
export const finish = (type: string): 'completed' | 'incomplete' | 'failed' | null => finishes[type] ?? null

/** ... of an error event, whose own type says nothing. */
export const error = (event: JsonObject): ProviderError => errorIn(event) ?? describe({ ...event, type: undefined })
