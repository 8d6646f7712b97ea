import { pieces, type Reply } from './reply.ts'
import { outputTokens, type SpeakInput, type Spoken } from './spoken.ts'

const finishes = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length', refusal: 'content_filter' } as const

/** Chat Completions. */
export function speakChat(reply: Reply, { facts, fingerprint, created }: SpeakInput): Spoken {
  const id = `chatcmpl-sim-${fingerprint}`
  const base = { id, created, model: facts.model, system_fingerprint: 'onward-simulator' }
  const calls = reply.tools.map((tool, i) => ({
    id: `call_sim_${fingerprint}_${i}`,
    type: 'function' as const,
    function: { name: tool.name, arguments: tool.arguments },
  }))
  const completion = outputTokens(reply.text + reply.thinking + reply.tools.map((tool) => tool.arguments).join(''))
  const usage = {
    prompt_tokens: facts.inputTokens,
    completion_tokens: completion,
    total_tokens: facts.inputTokens + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: outputTokens(reply.thinking) },
  }
  const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
  const chunk = (delta: unknown, finish: string | null = null): string =>
    event({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(facts.includeUsage ? { usage: null } : {}),
    })
  const closing = [
    chunk({}, finishes[reply.finish]),
    ...(facts.includeUsage ? [event({ ...base, object: 'chat.completion.chunk', choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ]
  return {
    json: {
      ...base,
      object: 'chat.completion',
      usage,
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: finishes[reply.finish],
          message: {
            role: 'assistant',
            content: reply.text === '' && calls.length > 0 ? null : reply.text,
            refusal: null,
            ...(reply.thinking === '' ? {} : { reasoning_content: reply.thinking }),
            ...(calls.length > 0 ? { tool_calls: calls } : {}),
          },
        },
      ],
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.thinking).map((piece) => chunk({ reasoning_content: piece })),
      ...pieces(reply.text).map((piece) => chunk({ content: piece })),
      ...calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }),
        ...pieces(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      ...closing,
    ],
    closing: closing.length,
    errorEvent: () =>
      event({
        error: {
          message: 'The simulator sent an error in the middle of its answer, as asked.',
          type: 'server_error',
          param: null,
          code: 'simulated_error',
        },
      }),
  }
}
