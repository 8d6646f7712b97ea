/**
 * Reads one event of a Responses answer. A whole body is the response that the last event holds. All code that
 * understands answers uses these functions, and each reads only what it is asked for.
 */
import { describe, errorIn, type ProviderError } from '../observe/errors.ts'
import { asList, asObject, asText, type JsonObject } from '../values.ts'

/** Returns the response that an event begins or ends, with all of it that is known so far. */
export const response = (event: JsonObject | null): JsonObject => asObject(event?.['response']) ?? {}

export const item = (event: JsonObject | null): JsonObject | null => asObject(event?.['item'])

export const parts = (message: JsonObject | null): (JsonObject | null)[] => asList(message?.['content']).map(asObject)

/** Returns the text of a part; a refusal is no text. */
export const text = (part: JsonObject | null): string => asText(part?.['text']) ?? ''

export const isRefusal = (part: JsonObject | null): boolean => part?.['type'] === 'refusal'

/** Returns the counts of a response, under the vendor's names. */
export const usage = (value: JsonObject | null): JsonObject | null => asObject(value?.['usage'])

const finishes: Partial<Record<string, 'completed' | 'incomplete' | 'failed'>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
}

/** Returns how an event of this type ends a response, whatever its status member holds; null: it goes on. */
export const finish = (type: string): 'completed' | 'incomplete' | 'failed' | null => finishes[type] ?? null

/** Reads the error of an error event, whose own type is no error code. */
export const error = (event: JsonObject): ProviderError => errorIn(event) ?? describe({ ...event, type: undefined })
