import { z } from 'zod'
import { shapeOf } from './shape-of.ts'

// The block types of `@anthropic-ai/sdk`'s ContentBlockParam and its beta.
const text = z.looseObject({ type: z.literal('text'), text: z.string().min(1, 'text blocks may not be empty') })
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
  is_error: z.boolean().optional(),
})
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.looseObject({}),
})
const block = z.discriminatedUnion('type', [
  text,
  toolResult,
  toolUse,
  z.looseObject({ type: z.literal('image'), source: z.looseObject({ type: z.string() }) }),
  z.looseObject({ type: z.literal('document'), source: z.looseObject({ type: z.string() }) }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('server_tool_use'), id: z.string(), name: z.string() }),
  z.looseObject({
    type: z.enum([
      'search_result',
      'container_upload',
      'tool_reference',
      'mcp_tool_use',
      'mcp_tool_result',
      'compaction',
      'web_search_tool_result',
      'web_fetch_tool_result',
      'code_execution_tool_result',
      'bash_code_execution_tool_result',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
    ]),
  }),
])
// Claude Code sends "system" messages in the middle of a conversation.
const said = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string().min(1, 'content may not be empty'), z.array(block).min(1)]),
})
// After a compaction one of them is empty and carries the effort alone (seen with 2.1.330).
const effort = z.looseObject({ role: z.literal('system'), content: z.tuple([]), output_config: z.looseObject({}) })
const message = z.union([said, effort])
const common = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(z.looseObject({ name: z.string().min(1) })).optional(),
}
const request = z.looseObject({ ...common, max_tokens: z.number().int().positive(), stream: z.boolean().optional() })
const countRequest = z.looseObject(common)

export function checkMessages(json: unknown): string[] {
  const { problems, value } = shapeOf(request, json)
  return value ? checkToolResults(value.messages) : problems
}

export function checkCount(json: unknown): string[] {
  const { problems, value } = shapeOf(countRequest, json)
  return value ? checkToolResults(value.messages) : problems
}

/** Every tool_use is answered in the next user message, and no result is without its call. */
function checkToolResults(messages: readonly z.infer<typeof message>[]): string[] {
  const problems: string[] = []
  if (messages.find((m) => m.role !== 'system')?.role !== 'user')
    problems.push("messages: the first one is not the user's")
  let open = new Set<string>()
  messages.forEach((m, i) => {
    const blocks = typeof m.content === 'string' ? [] : m.content
    for (const b of blocks) {
      if (b.type === 'tool_result' && !open.delete(String(b['tool_use_id'])))
        problems.push(
          `messages.${i}: tool_result for "${String(b['tool_use_id'])}", which the message before did not call`,
        )
    }
    if (m.role === 'system') return
    if (open.size > 0) problems.push(`messages.${i}: tool_use without tool_result: ${[...open].join(', ')}`)
    open = new Set(
      m.role === 'assistant' ? blocks.filter((b) => b.type === 'tool_use').map((b) => String(b['id'])) : [],
    )
  })
  if (open.size > 0) problems.push(`the request ends with tool_use without tool_result: ${[...open].join(', ')}`)
  return problems
}
