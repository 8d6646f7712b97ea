// The same conversation as Messages says it: for the lanes with a Messages client.
import { chatBody } from './bodies.mjs'

const text = (words) => [{ type: 'text', text: words }]

function messageOf({ role, content, tool_calls: calls, tool_call_id: id }) {
  if (role === 'tool')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text(content) }] }
  if (!calls) return { role, content: text(content) }
  return {
    role,
    content: calls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    })),
  }
}

/** A Messages request of about `bytes` bytes. */
export function messagesBody(bytes, options) {
  const {
    model,
    stream,
    messages: [system, ...messages],
    tools,
  } = JSON.parse(chatBody(bytes, options).toString())
  return Buffer.from(
    JSON.stringify({
      model,
      stream,
      max_tokens: 4_096,
      system: text(system.content),
      messages: messages.map(messageOf),
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
  )
}
