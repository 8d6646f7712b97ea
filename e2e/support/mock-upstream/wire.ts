import type { AnswerPlan, MockUsage, ToolCallPlan } from './types.ts'

/** What a wire protocol needs beside the plan. */
export interface WireContext {
  /** unique per answer */
  n: number
  model: string
  /** parsed request */
  request: Readonly<Record<string, unknown>>
  nowMs: number
}

/** One protocol's way to speak a plan. */
export interface Wire {
  json(plan: AnswerPlan, context: WireContext): unknown
  /** whole SSE events, blank line included */
  events(plan: AnswerPlan, context: WireContext): string[]
  error(status: number, message: string): unknown
}

export const namedEvent = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Cuts a text as a model would stream it; never inside a surrogate pair. */
export function pieces(text: string, size = 12): string[] {
  const out: string[] = []
  for (let at = 0, end = size; at < text.length; at = end, end += size) {
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++
    out.push(text.slice(at, end))
  }
  return out
}

export const usageOf = ({ usage, text = '', thinking = '' }: AnswerPlan): MockUsage => ({
  input: 100,
  cachedInput: 0,
  output: Math.max(1, Math.ceil((text.length + thinking.length) / 4)),
  reasoning: Math.ceil(thinking.length / 4),
  ...usage,
})

export const inputText = (call: ToolCallPlan): string =>
  typeof call.input === 'string' && call.freeform ? call.input : JSON.stringify(call.input)
export const callsOf = (plan: AnswerPlan): readonly ToolCallPlan[] => plan.toolCalls ?? []
export const errorTypeOf = (status: number): string =>
  ({
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  })[status] ?? 'api_error'
