import { isSpecialTier, noteMembers, type KnownMembers } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { echoedSettings } from '../echo.ts'

/**
 * The members of a response object (Response of openai) that are read, or only repeat the request. `completed_at` and
 * `output_text` repeat the answer.
 */
const responseMembers: KnownMembers = new Set([
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'error',
  'incomplete_details',
  'model',
  'output',
  'output_text',
  'usage',
  'presence_penalty',
  'frequency_penalty',
  ...echoedSettings,
])

export function noteResponse(response: JsonObject, dropped: (name: string) => void): void {
  noteMembers(response, responseMembers, '', dropped)
  if (isSpecialTier(response['service_tier'])) dropped('service_tier')
}

/** The members of items that become blocks; `status` follows from the answer's end. */
export const itemMembers: Partial<Record<string, KnownMembers>> = {
  message: new Set(['id', 'type', 'role', 'status', 'content', 'phase']),
  reasoning: new Set(['id', 'type', 'status', 'summary', 'content', 'encrypted_content']),
  function_call: new Set(['id', 'type', 'status', 'call_id', 'name', 'namespace', 'arguments']),
  custom_tool_call: new Set(['id', 'type', 'status', 'call_id', 'name', 'namespace', 'input']),
}

export const partMembers: Partial<Record<string, KnownMembers>> = {
  output_text: new Set(['type', 'text', 'annotations', 'logprobs']),
  refusal: new Set(['type', 'refusal']),
}
/** The members of the parts of a summary and of visible thoughts. */
export const thoughtMembers: KnownMembers = new Set(['type', 'text'])

/** The members of all events; each event has a few of these. `obfuscation` only hides the length of a text. */
export const eventMembers: KnownMembers = new Set([
  'type',
  'sequence_number',
  'response',
  'item',
  'part',
  'item_id',
  'output_index',
  'content_index',
  'summary_index',
  'annotation_index',
  'annotation',
  'delta',
  'logprobs',
  'obfuscation',
])

/** Events that repeat other events, or only show that a tool of the vendor is at work, which its item shows too. */
const repeating: ReadonlySet<string> = new Set([
  'ping',
  'keepalive',
  'response.in_progress',
  'response.queued',
  'response.content_part.added',
  'response.content_part.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.output_text.done',
  'response.refusal.done',
  'response.reasoning.done',
  'response.reasoning_text.done',
  'response.reasoning_summary.done',
  'response.reasoning_summary_text.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
])
const ofVendorTool = /^response\.(?:\w+_call(?:_\w+)?|mcp_list_tools)\.\w+$/

export const isRepeating = (type: string): boolean => repeating.has(type) || ofVendorTool.test(type)
