/** Anthropic Messages as a provider speaks it; checked against the types of `@anthropic-ai/sdk`. */
import type Anthropic from '@anthropic-ai/sdk'
import type { AnswerPlan } from './types.ts'
import { callsOf, errorTypeOf, namedEvent, pieces, usageOf, type Wire, type WireContext } from './wire.ts'

export const messages: Wire = {
  json: (plan, context): Anthropic.Message => ({
    ...frame(plan, context),
    content: blocks(plan, context),
    stop_reason: stopReasonOf(plan),
    stop_sequence: plan.finish === 'stop-sequence' ? 'STOP' : null,
    usage: usage(plan, usageOf(plan).output),
  }),

  events(plan, context) {
    const event = (data: Anthropic.RawMessageStreamEvent): string => namedEvent(data.type, data)
    // message_start counts the output begun so far, message_delta all of it
    const out = [
      event({ type: 'message_start', message: { ...frame(plan, context), content: [], usage: usage(plan, 1) } }),
      namedEvent('ping', { type: 'ping' }),
    ]
    blocks(plan, context).forEach((block, index) => {
      const delta = (d: Anthropic.RawContentBlockDelta): void => {
        out.push(event({ type: 'content_block_delta', index, delta: d }))
      }
      const start = (content_block: Anthropic.RawContentBlockStartEvent['content_block']): void => {
        out.push(event({ type: 'content_block_start', index, content_block }))
      }
      if (block.type === 'thinking') {
        start({ ...block, thinking: '', signature: '' })
        for (const thinking of pieces(block.thinking, plan.piece)) delta({ type: 'thinking_delta', thinking })
        delta({ type: 'signature_delta', signature: block.signature })
      } else if (block.type === 'text') {
        start({ ...block, text: '' })
        for (const text of pieces(block.text, plan.piece)) delta({ type: 'text_delta', text })
      } else if (block.type === 'tool_use') {
        start({ ...block, input: {} })
        delta({ type: 'input_json_delta', partial_json: '' })
        for (const partial_json of pieces(JSON.stringify(block.input), plan.piece))
          delta({ type: 'input_json_delta', partial_json })
      }
      out.push(event({ type: 'content_block_stop', index }))
    })
    const total = usage(plan, usageOf(plan).output)
    out.push(
      event({
        type: 'message_delta',
        delta: {
          stop_reason: stopReasonOf(plan),
          stop_sequence: plan.finish === 'stop-sequence' ? 'STOP' : null,
          container: null,
          stop_details: null,
        },
        usage: {
          input_tokens: total.input_tokens,
          cache_creation_input_tokens: total.cache_creation_input_tokens,
          cache_read_input_tokens: total.cache_read_input_tokens,
          output_tokens: total.output_tokens,
          output_tokens_details: total.output_tokens_details,
          server_tool_use: null,
        },
      }),
    )
    out.push(event({ type: 'message_stop' }))
    return out
  },

  error: (status, message) => ({
    type: 'error',
    error: { type: errorTypeOf(status), message },
    request_id: 'req_mock',
  }),
}

const frame = (_plan: AnswerPlan, { n, model }: WireContext): Omit<Anthropic.Message, 'content' | 'usage'> => ({
  id: `msg_mock${n}`,
  type: 'message',
  role: 'assistant',
  model,
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_reason: null,
  stop_sequence: null,
})

function blocks(plan: AnswerPlan, { n }: WireContext): Anthropic.ContentBlock[] {
  const out: Anthropic.ContentBlock[] = []
  if (plan.thinking !== undefined) out.push({ type: 'thinking', thinking: plan.thinking, signature: `sig_mock${n}` })
  if (plan.text !== undefined && plan.text !== '') out.push(textBlock(plan.text))
  callsOf(plan).forEach((call, i) =>
    out.push({
      type: 'tool_use',
      id: call.id ?? `toolu_mock${n}_${i}`,
      name: call.name,
      input: call.input,
      caller: { type: 'direct' },
    }),
  )
  return out
}

/**
 * Without `citations`, which the types demand: the API leaves it out where nothing is cited, and clients refuse null
 * (`@ai-sdk/anthropic`).
 */
const textBlock = (text: string): Anthropic.TextBlock => ({ type: 'text', text }) as Anthropic.TextBlock

function stopReasonOf({ toolCalls, finish = 'stop' }: AnswerPlan): Anthropic.StopReason {
  switch (finish) {
    case 'length':
      return 'max_tokens'
    case 'pause-turn':
      return 'pause_turn'
    case 'stop-sequence':
      return 'stop_sequence'
    case 'content-filter':
    case 'refusal':
      return 'refusal'
    case 'stop':
      return toolCalls && toolCalls.length > 0 ? 'tool_use' : 'end_turn'
  }
}

function usage(plan: AnswerPlan, output: number): Anthropic.Usage {
  const u = usageOf(plan)
  return {
    // Anthropic counts cached input apart; the plan counts it within
    input_tokens: u.input - u.cachedInput,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: u.cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: u.reasoning > 0 ? { thinking_tokens: u.reasoning } : null,
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  }
}
