/** Google's generateContent as a provider speaks it; checked against the types of `@google/genai`. */
import type {
  Candidate,
  Content,
  FinishReason,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  Part,
} from '@google/genai'
import type { AnswerPlan } from './types.ts'
import { callsOf, pieces, usageOf, type Wire, type WireContext } from './wire.ts'

/** The wire's members only: the SDK's class has getters. */
type Body = Pick<GenerateContentResponse, 'candidates' | 'usageMetadata' | 'modelVersion' | 'responseId'>

export const gemini: Wire = {
  json: (plan, context): Body =>
    body(context, { content: content(parts(plan, context, Infinity)), finishReason: finishOf(plan) }, usage(plan)),

  events(plan, context) {
    const { promptTokenCount } = usage(plan)
    const all = parts(plan, context, plan.piece)
    const event = (value: Body): string => `data: ${JSON.stringify(value)}\r\n\r\n`
    // Every chunk counts what there is so far; the last one counts all.
    const out = all
      .slice(0, -1)
      .map((part) =>
        event(body(context, { content: content([part]) }, { promptTokenCount, totalTokenCount: promptTokenCount })),
      )
    out.push(event(body(context, { content: content(all.slice(-1)), finishReason: finishOf(plan) }, usage(plan))))
    return out
  },

  error: (status, message) => ({ error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' } }),
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
}

const content = (list: Part[]): Content => ({ parts: list, role: 'model' })
const body = (
  { n, model }: WireContext,
  candidate: Candidate,
  usageMetadata: GenerateContentResponseUsageMetadata,
): Body => ({
  candidates: [{ ...candidate, index: 0 }],
  usageMetadata,
  modelVersion: model,
  responseId: `resp_mock${n}`,
})

/**
 * What thought ends in a signature, on the first call or else on a part of its own behind the text. Calls come whole,
 * and without an id unless the plan has one.
 */
function parts(plan: AnswerPlan, { n }: WireContext, piece: number | undefined): Part[] {
  const thoughtSignature = Buffer.from(`sig_mock${n}`).toString('base64')
  const out: Part[] = pieces(plan.thinking ?? '', piece).map((text) => ({ text, thought: true }))
  for (const text of pieces(plan.text ?? '', piece)) out.push({ text })
  const signed = plan.thinking === undefined ? {} : { thoughtSignature }
  callsOf(plan).forEach(({ id, name, input }, i) =>
    out.push({
      functionCall: { ...(id === undefined ? {} : { id }), name, args: input as Record<string, unknown> },
      ...(i === 0 ? signed : {}),
    }),
  )
  if (callsOf(plan).length === 0 && (plan.thinking !== undefined || out.length === 0)) out.push({ text: '', ...signed })
  return out
}

function finishOf({ finish = 'stop' }: AnswerPlan): FinishReason {
  const reason =
    finish === 'length' ? 'MAX_TOKENS' : finish === 'content-filter' || finish === 'refusal' ? 'SAFETY' : 'STOP'
  return reason as FinishReason
}

function usage(plan: AnswerPlan): GenerateContentResponseUsageMetadata {
  const { input, cachedInput, output, reasoning } = usageOf(plan)
  return {
    promptTokenCount: input,
    ...(cachedInput > 0 ? { cachedContentTokenCount: cachedInput } : {}),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + output,
  }
}

/** The same stream as the JSON list that Google sends without `alt=sse`. */
export const listOfEvents = (events: readonly string[]): string[] =>
  events.map(
    (event, i) =>
      `${i === 0 ? '[' : ',\r\n'}${event.replace(/^data: /, '').trimEnd()}${i === events.length - 1 ? '\n]\n' : ''}`,
  )
