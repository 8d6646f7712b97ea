import { asList, asObject, asText, type JsonObject } from '../values.ts'

/**
 * The entries of `tool_calls` of a message or delta. TGI before 3.0 has one entry there, no list.
 * https://github.com/huggingface/text-generation-inference/blob/v2.4.1/router/src/lib.rs (`ToolCallDelta`)
 */
export function callEntries(message: JsonObject): readonly JsonObject[] {
  const given = message['tool_calls']
  const single = asObject(given)
  return single
    ? [single]
    : asList(given)
        .map(asObject)
        .filter((entry) => entry !== null)
}

/** The text parts of a content list (Mistral, Databricks), joined. */
export const textOfParts = (content: unknown): string =>
  asList(content)
    .map((part) => asText(asObject(part)?.['text']) ?? '')
    .join('')

/** Members of an assistant's message, in answers and in histories alike. */
export const assistantMembers = [
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_text',
  'reasoning_opaque',
] as const
