import { z } from 'zod'
import { shapeOf } from './shape-of.ts'

const part = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.enum(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']),
    text: z.string(),
  }),
  z.looseObject({ type: z.literal('input_image') }),
  z.looseObject({ type: z.literal('input_file') }),
  z.looseObject({ type: z.literal('input_audio') }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
])
const content = z.union([z.string(), z.array(part)])
const output = z.union([z.string(), z.array(part)])
const named = { call_id: z.string().min(1), name: z.string().min(1) }
const typed = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message'), role: z.enum(['user', 'assistant', 'system', 'developer']), content }),
  z.looseObject({ type: z.literal('function_call'), ...named, arguments: z.string() }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string().min(1), output }),
  z.looseObject({ type: z.literal('custom_tool_call'), ...named, input: z.string() }),
  z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: z.string().min(1), output }),
  z.looseObject({ type: z.literal('reasoning'), summary: z.array(part) }),
  // The remaining types of the `openai` package's ResponseInputItem, and what Codex writes.
  z.looseObject({
    type: z.enum([
      'compaction',
      'context_compaction',
      'item_reference',
      'web_search_call',
      'file_search_call',
      'computer_call',
      'computer_call_output',
      'image_generation_call',
      'code_interpreter_call',
      'local_shell_call',
      'local_shell_call_output',
      'shell_call',
      'shell_call_output',
      'apply_patch_call',
      'apply_patch_call_output',
      'tool_search_call',
      'tool_search_output',
      'additional_tools',
      'agent_message',
      'mcp_list_tools',
      'mcp_approval_request',
      'mcp_approval_response',
      'mcp_call',
      'compaction_trigger',
      'program',
      'program_output',
    ]),
  }),
])
const easyMessage = z.looseObject({
  type: z.undefined().optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
})
const item = z.union([typed, easyMessage])
const common = {
  model: z.string().min(1),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  tools: z.array(z.looseObject({ type: z.string().min(1) })).optional(),
}
const request = z.looseObject({
  ...common,
  input: z.union([z.string().min(1), z.array(item).min(1)]).optional(),
  stream: z.boolean().nullish(),
})

export function checkResponses(json: unknown): string[] {
  const { problems, value } = shapeOf(request, json)
  if (!value) return problems
  if (value.input === undefined && !value.previous_response_id && !('prompt' in value))
    problems.push('neither input nor previous_response_id')
  if (typeof value.input === 'string' || value.input === undefined || value.previous_response_id) return problems
  const calls = new Set<string>()
  const answered = new Set<string>()
  for (const i of value.input) {
    const callId = 'call_id' in i && typeof i['call_id'] === 'string' ? i['call_id'] : null
    if (callId === null) continue
    if (i.type === 'function_call' || i.type === 'custom_tool_call') calls.add(callId)
    if (i.type === 'function_call_output' || i.type === 'custom_tool_call_output') {
      answered.add(callId)
      if (!calls.has(callId)) problems.push(`output for call "${callId}", which is not in the input before it`)
    }
  }
  for (const id of calls) if (!answered.has(id)) problems.push(`no output for call "${id}"`)
  return problems
}

export const checkCompact = (json: unknown): string[] =>
  shapeOf(z.looseObject({ ...common, input: z.union([z.string(), z.array(item)]).nullish() }), json).problems
