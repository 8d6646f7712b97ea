import { pieces, type Reply } from './reply.ts'
import { outputTokens, type SpeakInput, type Spoken } from './spoken.ts'

const reasons = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const

/** Anthropic Messages. */
export function speakMessages(reply: Reply, { facts, fingerprint }: SpeakInput): Spoken {
  const stop = { stop_reason: reasons[reply.finish], stop_sequence: null }
  const output = outputTokens(reply.text + reply.thinking + reply.tools.map((tool) => tool.arguments).join(''))
  const usage = {
    input_tokens: facts.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
  }
  const head = { id: `msg_sim_${fingerprint}`, type: 'message', role: 'assistant', model: facts.model }
  const event = (type: string, rest: Record<string, unknown> = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const signature = `simulated-signature-${fingerprint}`
  const toolId = (i: number): string => `toolu_sim_${fingerprint}_${i}`

  const blocks: { start: unknown; deltas: readonly unknown[]; whole: unknown }[] = []
  if (reply.thinking !== '') {
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(reply.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: reply.thinking, signature },
    })
  }
  if (reply.text !== '') {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: reply.text },
    })
  }
  reply.tools.forEach((tool, i) => {
    const call = { type: 'tool_use', id: toolId(i), name: tool.name }
    blocks.push({
      start: { ...call, input: {} },
      deltas: pieces(tool.arguments).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      whole: { ...call, input: parsed(tool.arguments) },
    })
  })
  const closing = [event('message_delta', { delta: stop, usage: { output_tokens: output } }), event('message_stop')]
  return {
    json: { ...head, content: blocks.map((block) => block.whole), ...stop, usage },
    events: [
      event('message_start', {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      }),
      event('ping'),
      ...blocks.flatMap((block, index) => [
        event('content_block_start', { index, content_block: block.start }),
        ...block.deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      ...closing,
    ],
    closing: closing.length,
    errorEvent: () =>
      event('error', {
        error: {
          type: 'overloaded_error',
          message: 'The simulator sent an error in the middle of its answer, as asked.',
        },
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A tool's arguments as a person typed them; they are sent whatever they are.
    return { text, problem: String(error) }
  }
}
