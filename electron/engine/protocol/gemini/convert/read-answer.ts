import { type ReadContext, noteMembers, saysSomething } from '../../canonical/codec.ts'
import type { AnswerUsage } from '../../canonical/answer.ts'
import { asName, asObject, type JsonObject } from '../../values.ts'
import { endOf, knownMeaning } from '../../finish-names.ts'
import { citationReader, citingMembers } from './citations.ts'
import { restarted } from '../../observe/peek.ts'
import * as facts from '../facts.ts'
import { partReader } from './read-answer-part.ts'
import { fullest } from '../../usage-sums.ts'
import { usageOfGemini } from '../facts.ts'

interface AnswerChunks {
  /** takes one GenerateContentResponse: a whole answer, or the next one of a stream */
  chunk(value: JsonObject): void
  fail(code: string, message: string): void
  /** true if there is a finish reason, and no call is incomplete */
  whole(): boolean
  end(): void
}

/** The members that are read from a GenerateContentResponse of @google/genai, level by level. */
const known = {
  response: new Set([
    'candidates',
    'promptFeedback',
    'usageMetadata',
    'modelVersion',
    'responseId',
    'createTime',
    'error',
    'sdkHttpResponse',
  ]),
  feedback: new Set(['blockReason', 'blockReasonMessage', 'safetyRatings']),
  candidate: new Set<string>([
    'content',
    'finishReason',
    'finishMessage',
    'index',
    'tokenCount',
    'safetyRatings',
    ...citingMembers,
  ]),
  content: new Set(['parts', 'role']),
}

/**
 * A stream has no final event of its own, and some versions send a finish reason in every chunk: the last one counts
 * when the body ends. Leaving out ratings of an answer that was not blocked is no loss.
 */
export function answerChunks(context: ReadContext): AnswerChunks {
  const citations = citationReader(context)
  const parts = partReader(context, citations.text)
  let started = false
  let done = false
  let usage: AnswerUsage | null = null
  let finishReason: string | null = null
  let finishMessage: string | null = null
  let blocked = false
  const ratings = new Set<string>()
  const restarts = geminiRestarts()

  function fail(code: string, message: string): void {
    if (done) return
    done = true
    context.emit({ type: 'error', code, message })
  }

  function start(value: JsonObject): void {
    started = true
    context.emit({ type: 'start', model: asName(value['modelVersion']), usage })
  }

  function candidate(value: JsonObject): void {
    if (!facts.isFirst(value)) return context.dropped('candidates[1]')
    const content = asObject(value['content'])
    noteMembers(value, known.candidate, 'candidates[].', context.dropped)
    if (content) noteMembers(content, known.content, 'candidates[].content.', context.dropped)
    rated(value, 'candidates[].')
    for (const part of facts.parts(value)) parts.part(part)
    citations.candidate(value)
    finishReason = facts.finish(value) ?? finishReason
    finishMessage = asName(value['finishMessage']) ?? finishMessage
  }

  /** Ratings explain why an answer was blocked; without a block they mean nothing. */
  function rated(value: JsonObject, path: string): void {
    if (saysSomething(value['safetyRatings'])) ratings.add(`${path}safetyRatings`)
  }

  const whole = (): boolean => !parts.halfCall() && (finishReason !== null || blocked)

  return {
    fail,
    chunk(value) {
      if (done) return
      const error = facts.error(value)
      if (error) return fail(error.code, error.message)
      if (restarts.again(asName(value['responseId']), facts.says(value))) return fail(restarted.code, restarted.message)
      usage = fullest(usage, usageOfGemini(facts.usage(value)))
      if (!started) start(value)
      noteMembers(value, known.response, '', context.dropped)
      const feedback = asObject(value['promptFeedback'])
      if (feedback) {
        noteMembers(feedback, known.feedback, 'promptFeedback.', context.dropped)
        rated(feedback, 'promptFeedback.')
        finishMessage = asName(feedback['blockReasonMessage']) ?? finishMessage
      }
      blocked ||= facts.isBlocked(value)
      for (const one of facts.candidates(value)) candidate(one)
    },
    whole,
    end() {
      if (done) return
      if (!whole()) return fail('upstream-broke-off', 'The provider ended its answer in the middle.')
      const end =
        finishReason === null
          ? ({ kind: 'finish', reason: 'content-filter' } as const)
          : endOf(finishReason, { calls: parts.hasCalls, text: false, usage: false })
      if (end.kind === 'failed') return fail(end.code, end.message)
      if (finishReason !== null && knownMeaning(finishReason) === null) context.dropped('candidates[].finishReason')
      citations.flush()
      if (end.reason === 'content-filter') {
        for (const name of ratings) context.dropped(name)
        if (finishMessage !== null) parts.refusal(finishMessage)
      } else if (finishMessage !== null) context.dropped('candidates[].finishMessage')
      parts.close()
      const search = citations.search()
      if (search) parts.search(search)
      done = true
      context.emit({ type: 'finish', reason: end.reason, stopSequence: null, usage })
    },
  }
}

/**
 * Finds a second answer in a stream. Gemini has no event that begins an answer, but each chunk has the answer's id.
 * Gateways that make up an id for every chunk, or for the first or the last, never repeat an id in two chunks with
 * content. Once an id was repeated, content under another id is part of another answer.
 */
export function geminiRestarts(): { again(id: string | null, says: boolean): boolean } {
  let current: string | null = null
  let chunks = 0
  let changed = false
  return {
    again(id, says) {
      if (id === null || !says) return false
      if (id === current) {
        chunks++
        return changed
      }
      const steady = chunks > 1
      changed = current !== null
      current = id
      chunks = 1
      return steady
    },
  }
}
