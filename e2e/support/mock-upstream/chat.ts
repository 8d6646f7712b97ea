/** OpenAI Chat Completions as a provider speaks it; checked against the `openai` package's types. */
import type OpenAI from 'openai'
import type { AnswerPlan } from './types.ts'
import { callsOf, errorTypeOf, inputText, pieces, usageOf, type Wire, type WireContext } from './wire.ts'

type Chunk = OpenAI.ChatCompletionChunk
type Completion = OpenAI.ChatCompletion

export const chat: Wire = {
  json: (plan, context): Completion => ({
    id: `chatcmpl-mock${context.n}`,
    object: 'chat.completion',
    created: Math.floor(context.nowMs / 1000),
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: plan.text ?? null,
          refusal: null,
          annotations: [],
          ...reasoning(thinkingOf(plan, context)),
          ...(callsOf(plan).length > 0
            ? {
                tool_calls: callsOf(plan).map((call, i) => ({
                  id: callId(call.id, context, i),
                  type: 'function' as const,
                  function: { name: call.name, arguments: inputText(call) },
                })),
              }
            : {}),
        },
        logprobs: null,
        finish_reason: finishOf(plan),
      },
    ],
    usage: usage(plan),
    service_tier: 'default',
    system_fingerprint: 'fp_mock',
  }),

  events(plan, context) {
    // Whoever asks for usage finds the member in every chunk (OpenAI's API reference, stream_options).
    const nullUsage = wantsUsage(context) ? { usage: null } : {}
    const chunk = (choices: Chunk['choices'], more: Partial<Chunk> = {}): string => {
      const data: Chunk = {
        id: `chatcmpl-mock${context.n}`,
        object: 'chat.completion.chunk',
        created: Math.floor(context.nowMs / 1000),
        model: context.model,
        service_tier: 'default',
        system_fingerprint: 'fp_mock',
        choices,
        ...nullUsage,
        ...more,
      }
      return `data: ${JSON.stringify(data)}\n\n`
    }
    const delta = (
      d: OpenAI.ChatCompletionChunk.Choice.Delta & Reasoning,
      finish: OpenAI.ChatCompletionChunk.Choice['finish_reason'] = null,
    ): string => chunk([{ index: 0, delta: d, logprobs: null, finish_reason: finish }])
    const out = [
      delta({
        role: 'assistant',
        content: callsOf(plan).length > 0 && plan.text === undefined ? null : '',
        refusal: null,
      }),
    ]
    for (const piece of pieces(thinkingOf(plan, context), plan.piece)) out.push(delta(reasoning(piece)))
    for (const piece of pieces(plan.text ?? '', plan.piece)) out.push(delta({ content: piece }))
    callsOf(plan).forEach((call, index) => {
      out.push(
        delta({
          tool_calls: [
            {
              index,
              id: callId(call.id, context, index),
              type: 'function',
              function: { name: call.name, arguments: '' },
            },
          ],
        }),
      )
      for (const piece of pieces(inputText(call), plan.piece))
        out.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }))
    })
    out.push(delta({}, finishOf(plan)))
    if (wantsUsage(context)) out.push(chunk([], { usage: usage(plan) }))
    out.push('data: [DONE]\n\n')
    return out
  },

  error: (status, message) => ({ error: { message, type: errorTypeOf(status), param: null, code: null } }),
}

/**
 * Not OpenAI's own: models behind other Chat APIs show their thinking so (DeepSeek's API reference). Shown when it was
 * asked for.
 */
const thinkingOf = ({ thinking = '' }: AnswerPlan, { request }: WireContext): string =>
  request['reasoning_effort'] === undefined ? '' : thinking
interface Reasoning {
  reasoning_content?: string
}
const reasoning = (text: string): Reasoning => (text === '' ? {} : { reasoning_content: text })

const callId = (id: string | undefined, { n }: WireContext, i: number): string => id ?? `call_mock${n}_${i}`

function wantsUsage({ request }: WireContext): boolean {
  // Who asked for no stream could not ask for usage in it.
  if (request['stream'] !== true) return true
  const options = request['stream_options']
  return typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
}

function finishOf({ toolCalls, finish = 'stop' }: AnswerPlan): OpenAI.ChatCompletion.Choice['finish_reason'] {
  if (finish === 'length') return 'length'
  if (finish === 'content-filter' || finish === 'refusal') return 'content_filter'
  return toolCalls && toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

function usage(plan: AnswerPlan): OpenAI.CompletionUsage {
  const u = usageOf(plan)
  return {
    prompt_tokens: u.input,
    completion_tokens: u.output,
    total_tokens: u.input + u.output,
    prompt_tokens_details: { cached_tokens: u.cachedInput, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: u.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
