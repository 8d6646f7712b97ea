import { z } from 'zod'
import { spendOf } from '../../../../shared/cost/cost.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { asList, asObject, asText, parseObject, type JsonObject } from '../../protocol/values.ts'
import type { AskReviewer, ReviewerMessage } from '../../servertools/review/ask-model.ts'
import type { InternalCall } from './internal-call.ts'

export interface AskReviewDeps {
  call: InternalCall
  /** of a request of Onward's own that has just ended; null: unknown */
  recordOf(requestId: string): Pick<TurnRecord, 'route' | 'usage' | 'costUsd' | 'price'> | null
}

/** The part of an answer's message that is read. The rest of it goes back untouched. */
const messageShape = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
})
const answerShape = z.looseObject({ choices: z.array(z.looseObject({ message: messageShape })).min(1) })

/** Gets one answer of a reviewing model, asked in Chat through the pipeline that every call takes. */
export function createAskReview({ call, recordOf }: AskReviewDeps): AskReviewer {
  return async ({ messages, tools, model, about, withinMs, signal }) => {
    const answer = await call({
      entry: 'chat',
      path: '/v1/chat/completions',
      kind: 'probe',
      withinMs,
      signal,
      ...(about === null ? {} : { about }),
      body: {
        // `review` names the route (router/candidates.ts)
        model: model ?? 'review',
        messages: messages.map(chatMessage),
        ...(tools.length === 0
          ? {}
          : { tools: tools.map((declaration) => ({ type: 'function', function: declaration })) }),
        stream: false,
      },
    })
    const { route, usage, ...paid } = recordOf(answer.requestId) ?? { route: null, usage: null, costUsd: null }
    const by = route ? `${route.provider}/${route.model}` : null
    const who = by ?? model ?? 'the route “review”'
    if (answer.error) throw named(answer.error, who)
    const body = parseObject(answer.body)
    if (answer.status === null || answer.status >= 400 || body?.['error']) throw refused(who, answer.status, body)
    const message = answerShape.safeParse(body).data?.choices[0]?.message
    if (!message)
      throw new OnwardError('bad-answer', `${who} answered with something that is no Chat answer.`, { status: 502 })
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      arguments: args,
    }))
    const text = textOf(message.content)
    if (text === '' && calls.length === 0 && message.refusal)
      throw new OnwardError('review-refused', `${who} declined to review: ${message.refusal}`, { status: 502 })
    // As it came, not as it was parsed.
    const raw = asObject(asList(body?.['choices'])[0])?.['message']
    return { text, calls, raw, usage, ...spendOf({ kind: 'probe', usage, ...paid }), by }
  }
}

function chatMessage(message: ReviewerMessage): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'model':
      return message.raw
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}

const textOf = (content: z.infer<typeof messageShape>['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')

/** The same failure, with the provider and model in its message where they are missing. */
const named = (error: OnwardError, who: string): OnwardError =>
  error.message.includes(who)
    ? error
    : new OnwardError(error.code, `${who}: ${error.message}`, {
        cause: error,
        status: error.status,
        details: error.details,
      })

function refused(who: string, status: number | null, body: JsonObject | null): OnwardError {
  const said = body ? asText(conversionOf.chat.readError(body).message) : null
  return new OnwardError(
    'review-refused',
    `${who} refused with status ${status ?? 'none'}${said === null || said === '' ? '' : `: ${said}`}`,
    { status: 502 },
  )
}
