/**
 * Readers for one message of a Messages answer: an event, or a whole body, which is like the message in
 * `message_start`. All code that understands answers uses them, and each reads only what it is asked for.
 */
import { describe, errorIn, type ProviderError } from '../observe/errors.ts'
import { finishName } from '../finish-names.ts'
import { asObject, asObjects, asText, hasValue, type JsonObject } from '../values.ts'

/** The message that an event begins, with all of it that is known so far. */
export const start = (event: JsonObject | null): JsonObject => asObject(event?.['message']) ?? {}

/** The block that an event begins. */
export const block = (event: JsonObject | null): JsonObject => asObject(event?.['content_block']) ?? {}

export const blocks = (message: JsonObject): JsonObject[] => asObjects(message['content'])

/** The words of a text block, or those that a delta adds to it; thinking is none. */
export const text = (part: JsonObject | null): string =>
  part?.['type'] === 'text' || part?.['type'] === 'text_delta' ? (asText(part['text']) ?? '') : ''

export const isThinking = (part: JsonObject | null): boolean =>
  part?.['type'] === 'thinking' || part?.['type'] === 'redacted_thinking'

/**
 * A call of a tool that is declared in the request. `server_tool_use` and `mcp_tool_use` run at the vendor; one of zero
 * values, of which gateways make such a block, is none.
 */
export const isCall = (part: JsonObject | null): boolean =>
  part?.['type'] === 'tool_use' && ['id', 'name', 'input'].some((name) => hasValue(part[name]))

/** Counts so far, as the vendor names them. */
export const usage = (value: JsonObject | null): JsonObject | null =>
  asObject(value?.['usage']) ?? asObject(start(value)['usage'])

/** The word that a message ends with, or the event that says so. */
export const finish = (value: JsonObject | null): string | null =>
  finishName((asObject(value?.['delta']) ?? value)?.['stop_reason'])

/** The error of an error event. */
export const error = (event: JsonObject | null): ProviderError => errorIn(event ?? {}) ?? describe({})
