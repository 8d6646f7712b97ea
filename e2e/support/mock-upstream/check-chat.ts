import { z } from 'zod'
import { shapeOf } from './shape-of.ts'

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string().min(1) }) }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({ type: z.literal('file'), file: z.looseObject({}) }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
])
const content = z.union([z.string(), z.array(part).min(1)])
const call = z.union([
  z.looseObject({
    id: z.string().min(1),
    type: z.literal('function'),
    function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
  }),
  z.looseObject({
    id: z.string().min(1),
    type: z.literal('custom'),
    custom: z.looseObject({ name: z.string().min(1), input: z.string() }),
  }),
])
const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content }),
])
const request = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(z.looseObject({ type: z.enum(['function', 'custom']) })).optional(),
})

export function checkChat(json: unknown): string[] {
  const { problems, value } = shapeOf(request, json)
  if (!value) return problems
  if (value.stream_options && value.stream !== true) problems.push('stream_options without stream')
  // Every tool call is answered by the tool messages right behind it, and nothing else is.
  let open = new Set<string>()
  value.messages.forEach((m, i) => {
    if (m.role === 'tool') {
      if (!open.delete(m.tool_call_id))
        problems.push(`messages.${i}: tool result for "${m.tool_call_id}", which nobody called`)
      return
    }
    if (open.size > 0) problems.push(`messages.${i}: tool calls without a result: ${[...open].join(', ')}`)
    open = new Set(m.role === 'assistant' ? m.tool_calls?.map((c) => c.id) : [])
  })
  if (open.size > 0) problems.push(`the request ends with tool calls without a result: ${[...open].join(', ')}`)
  return problems
}
