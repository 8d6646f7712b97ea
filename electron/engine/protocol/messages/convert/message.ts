import type { AnswerEvent } from '../../canonical/answer.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import { writeFinish } from './finish.ts'
import { writeUsage } from '../usage-dialects.ts'

type Start = Extract<AnswerEvent, { type: 'start' }>
type Finish = Extract<AnswerEvent, { type: 'finish' }>

/** A message at its beginning: counts that are not known yet are 0, and come with its end. */
export const messageStart = ({ model, usage }: Start, context: WriteContext) => ({
  id: context.newId('msg_'),
  type: 'message',
  role: 'assistant',
  model: model ?? context.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: writeUsage(usage),
})

/**
 * The members of a message at its end. Where a provider does not say which stop sequence it was, it was the client's
 * only one.
 */
export const messageEnd = (
  { reason, stopSequence, usage }: Finish,
  shown: { calls: boolean; refusal: string; searches: number },
  { request, dropped }: WriteContext,
) => {
  if (reason === 'incomplete') dropped('stop_reason')
  const only = request.stop.length === 1 ? request.stop[0] : undefined
  const stopReason = writeFinish(reason, { calls: shown.calls, refusal: shown.refusal !== '' })
  const explained = stopReason === 'refusal' && shown.refusal !== ''
  return {
    stop_reason: stopReason,
    stop_sequence: reason === 'stop-sequence' ? (stopSequence ?? only ?? null) : null,
    // The words are a text as well: older clients read no details.
    ...(explained && { stop_details: { type: 'refusal', category: null, explanation: shown.refusal } }),
    usage: { ...writeUsage(usage), ...searchCount(shown.searches) },
  }
}

const searchCount = (searches: number) =>
  searches > 0 ? { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } } : {}
