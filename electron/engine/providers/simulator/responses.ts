import { responseId } from './facts.ts'
import { pieces, type Reply } from './reply.ts'
import { outputTokens, type SpeakInput, type Spoken } from './spoken.ts'

interface Part {
  item: Record<string, unknown>
  opened: Record<string, unknown>
  between: readonly (readonly [type: string, rest: Record<string, unknown>])[]
}

/** OpenAI Responses. */
export function speakResponses(reply: Reply, { facts, fingerprint, created }: SpeakInput): Spoken {
  const parts: Part[] = []
  if (reply.thinking !== '') parts.push(reasoning(`rs_sim_${fingerprint}`, reply.thinking))
  if (reply.text !== '') parts.push(message(`msg_sim_${fingerprint}`, reply.text))
  reply.tools.forEach((tool, i) => parts.push(call(`fc_sim_${fingerprint}_${i}`, `call_sim_${fingerprint}_${i}`, tool)))

  const output = outputTokens(reply.text + reply.thinking + reply.tools.map((tool) => tool.arguments).join(''))
  const usage = {
    input_tokens: facts.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: outputTokens(reply.thinking) },
    total_tokens: facts.inputTokens + output,
  }
  const incomplete =
    reply.finish === 'length' ? 'max_output_tokens' : reply.finish === 'refusal' ? 'content_filter' : null
  const status = incomplete === null ? 'completed' : 'incomplete'
  const response = (state: string, items: readonly unknown[], counted: unknown): Record<string, unknown> => ({
    id: responseId(facts, fingerprint),
    object: 'response',
    created_at: created,
    status: state,
    background: false,
    error: null,
    incomplete_details: state === 'incomplete' ? { reason: incomplete } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: facts.model,
    output: items,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: counted,
    user: null,
  })
  let sequence = 0
  const numbered = (type: string, sequence_number: number, rest: Record<string, unknown>): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...rest })}\n\n`
  const event = (type: string, rest: Record<string, unknown>): string => numbered(type, sequence++, rest)
  const whole = response(
    status,
    parts.map((part) => part.item),
    usage,
  )
  const events = [
    event('response.created', { response: response('in_progress', [], null) }),
    event('response.in_progress', { response: response('in_progress', [], null) }),
    ...parts.flatMap((part, output_index) => [
      event('response.output_item.added', { output_index, item: part.opened }),
      ...part.between.map(([type, rest]) => event(type, { item_id: part.item['id'], output_index, ...rest })),
      event('response.output_item.done', { output_index, item: part.item }),
    ]),
    event(`response.${status}`, { response: whole }),
  ]
  return {
    json: whole,
    events,
    closing: 1,
    errorEvent: (position) =>
      numbered('error', position, {
        code: 'simulated_error',
        message: 'The simulator sent an error in the middle of its answer, as asked.',
        param: null,
      }),
  }
}

function message(id: string, text: string): Part {
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const empty = { ...part, text: '' }
  return {
    item: { id, type: 'message', role: 'assistant', status: 'completed', content: [part] },
    opened: { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] },
    between: [
      ['response.content_part.added', { content_index: 0, part: empty }],
      ...pieces(text).map(
        (delta) => ['response.output_text.delta', { content_index: 0, delta, logprobs: [] }] as const,
      ),
      ['response.output_text.done', { content_index: 0, text, logprobs: [] }],
      ['response.content_part.done', { content_index: 0, part }],
    ],
  }
}

function reasoning(id: string, text: string): Part {
  const part = { type: 'summary_text', text }
  return {
    item: { id, type: 'reasoning', summary: [part], encrypted_content: null },
    opened: { id, type: 'reasoning', summary: [], encrypted_content: null },
    between: [
      ['response.reasoning_summary_part.added', { summary_index: 0, part: { ...part, text: '' } }],
      ...pieces(text).map((delta) => ['response.reasoning_summary_text.delta', { summary_index: 0, delta }] as const),
      ['response.reasoning_summary_text.done', { summary_index: 0, text }],
      ['response.reasoning_summary_part.done', { summary_index: 0, part }],
    ],
  }
}

function call(id: string, callId: string, tool: Reply['tools'][number]): Part {
  const custom = tool.freeform
  const type = custom ? 'custom_tool_call' : 'function_call'
  const field = custom ? 'input' : 'arguments'
  const common = { id, type, call_id: callId, name: tool.name }
  const prefix = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  return {
    item: { ...common, [field]: tool.arguments, status: 'completed' },
    opened: { ...common, [field]: '', status: 'in_progress' },
    between: [
      ...pieces(tool.arguments).map((delta) => [`${prefix}.delta`, { delta }] as const),
      [`${prefix}.done`, custom ? { input: tool.arguments } : { arguments: tool.arguments, name: tool.name }],
    ],
  }
}
