import type { ReadContext } from '../../canonical/codec.ts'
import type { AnswerUsage } from '../../canonical/answer.ts'
import { asList, asName, asNumber, asObject, type JsonObject } from '../../values.ts'
import { endOf } from './finish.ts'
import { readError } from './read-error.ts'
import { partReader } from './read-answer-part.ts'
import { readUsage } from './usage.ts'

export interface AnswerChunks {
  /** one GenerateContentResponse: a whole answer, or a stream's next one */
  chunk(value: JsonObject): void
  fail(code: string, message: string): void
  end(): void
}

const read = new Set(['content', 'finishReason', 'finishMessage', 'index', 'tokenCount', 'safetyRatings'])

/**
 * A stream has no last event of its own, and some versions name a finish reason in every chunk: what was said last
 * counts when the body ends. Ratings of what was not blocked are no loss.
 */
export function answerChunks(context: ReadContext): AnswerChunks {
  const parts = partReader(context)
  let started = false
  let done = false
  let usage: AnswerUsage | null = null
  let finishReason: string | null = null
  let finishMessage: string | null = null
  let blocked = false

  function fail(code: string, message: string): void {
    if (done) return
    done = true
    context.emit({ type: 'error', code, message })
  }

  function start(value: JsonObject): void {
    started = true
    context.emit({ type: 'start', id: asName(value['responseId']), model: asName(value['modelVersion']), usage })
  }

  function candidate(value: JsonObject): void {
    if ((asNumber(value['index']) ?? 0) !== 0) return context.dropped('candidates[1]')
    for (const name in value) if (!read.has(name) && value[name] !== null) context.dropped(`candidates[].${name}`)
    for (const entry of asList(asObject(value['content'])?.['parts'])) {
      const part = asObject(entry)
      if (part) parts.part(part)
    }
    finishReason = asName(value['finishReason']) ?? finishReason
    finishMessage = asName(value['finishMessage']) ?? finishMessage
  }

  return {
    fail,
    chunk(value) {
      if (done) return
      if (value['error'] !== undefined && value['error'] !== null) {
        const { code, message } = readError(value)
        return fail(code ?? 'provider-error', message ?? 'The provider reported an error without saying which.')
      }
      usage = readUsage(value['usageMetadata']) ?? usage
      if (!started) start(value)
      blocked ||= asName(asObject(value['promptFeedback'])?.['blockReason']) !== null
      for (const entry of asList(value['candidates'])) candidate(asObject(entry) ?? {})
    },
    end() {
      if (done) return
      if (parts.halfCall || (finishReason === null && !blocked))
        return fail('upstream-broke-off', 'The provider ended its answer in the middle.')
      const end =
        finishReason === null
          ? ({ kind: 'finish', reason: 'content-filter' } as const)
          : endOf(finishReason, finishMessage, parts.hasCalls)
      if (end.kind === 'failed') return fail(end.code, end.message)
      parts.close()
      done = true
      context.emit({ type: 'finish', reason: end.reason, stopSequence: null, usage })
    },
  }
}
