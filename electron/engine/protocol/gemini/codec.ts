import type { Frame } from '../answer/frame.ts'
import type { AnswerUsage } from '../canonical/answer.ts'
import { readRequest } from '../lens/lens.ts'
import { needsOf } from '../needs/needs-of.ts'
import { observeResponse, addTool, noteEnd, nothingSeen, type AnswerReader } from '../observe/observer.ts'
import { restarted, stringBehind } from '../observe/peek.ts'
import { sseEvent } from '../sse/write.ts'
import type { EntryCodec, AnswerInput } from '../types.ts'
import { fullest, recordedUsage } from '../usage-sums.ts'
import { asName, asNumber, type JsonObject } from '../values.ts'
import { geminiError, geminiErrorElement, geminiErrorEvent } from './errors.ts'
import * as facts from './facts.ts'
import { usageOfGemini } from './facts.ts'
import { geminiPathFor, geminiStreamForm, readGeminiPath } from './path.ts'
import { geminiDialect } from './request-lens.ts'
import { geminiRestarts } from './convert/read-answer.ts'

export const geminiCodec: EntryCodec = {
  protocol: 'gemini',
  read(body, path = '') {
    const asked = readGeminiPath(path)
    const streamForm = asked && geminiStreamForm(asked)
    return readRequest(body, geminiDialect, {
      model: asked?.model ?? null,
      stream: streamForm !== null,
      ...(streamForm === null ? {} : { streamForm }),
    })
  },
  needs: needsOf,
  pathFor: geminiPathFor,
  observe: (form, status) => observeResponse(geminiReader(), form, status),
  answer: geminiAnswer,
  error: geminiError,
  errorEvent: (input) => (input.streamForm === 'json-array' ? geminiErrorElement(input) : geminiErrorEvent(input)),
}

/**
 * A chunk without these need not be parsed. Keys are matched with their quotes, which text inside a string can't have
 * without a backslash. Counts come with every chunk, but only those of the last one are wanted, and that one has the
 * finish reason, unless the counts come after it.
 */
const worthParsing =
  /"(?:finishReason|functionCall|function_call|promptFeedback|error|thought)"\s*:|"index"\s*:\s*[1-9]/

/** Reads generateContent: one object, events with one each, or a list that grows by one each. */
function geminiReader(): AnswerReader {
  const seen = nothingSeen()
  let usage: AnswerUsage | null = null
  /** finish reason by candidate; null while it has none */
  const candidates = new Map<number, string | null>()
  let hasCalls = false
  let blocked = false
  let first = true
  const restarts = geminiRestarts()

  function read(value: JsonObject): void {
    seen.error ??= facts.error(value)
    seen.responseId ??= asName(value['responseId'])
    seen.model ??= asName(value['modelVersion'])
    usage = fullest(usage, usageOfGemini(facts.usage(value)))
    seen.usage = recordedUsage(usage)
    blocked ||= facts.isBlocked(value)
    if (restarts.again(idToken(value), facts.says(value))) seen.error ??= restarted
    for (const candidate of facts.candidates(value)) readCandidate(candidate)
    if (blocked || (candidates.size > 0 && [...candidates.values()].every((reason) => reason !== null))) finished()
  }

  function readCandidate(candidate: JsonObject): void {
    const index = asNumber(candidate['index']) ?? 0
    candidates.set(index, facts.finish(candidate) ?? candidates.get(index) ?? null)
    for (const part of facts.parts(candidate)) {
      const call = facts.call(part)
      if (call) {
        hasCalls ||= Object.keys(call).length > 0
        // Vertex AI streams arguments in calls without a name, and ends them with an empty call.
        const name = asName(call['name'])
        if (name !== null) addTool(seen, name)
      }
      const text = facts.text(part)
      if (index === 0 && text) seen.tail.addText(text)
    }
  }

  function finished(): void {
    seen.complete = true
    if (blocked) seen.finish = 'content-filter'
    else noteEnd(seen, [...candidates.values()], { calls: hasCalls, text: false, usage: false })
  }

  function chunk(frame: Frame): void {
    const { data, latin1: text } = frame
    if (data === null) return
    const isFirst = first
    first = false
    if (isFirst || worthParsing.test(text) || (seen.complete && text.includes('"usageMetadata"'))) {
      const value = frame.value()
      if (value) return read(value)
    }
    const token = stringBehind(text, 'text')
    if (token && !text.includes('"text"', token.end)) {
      const id = stringBehind(text, 'responseId')
      if (restarts.again(id && text.slice(id.start, id.end), token.end - token.start > 2)) seen.error ??= restarted
      return seen.tail.addToken(data, token)
    }
    const value = token ? frame.value() : null
    if (value) read(value)
  }

  return {
    seen,
    ended: () => seen.complete || seen.error !== null,
    // Its stream has no final event.
    over: () => false,
    frame: chunk,
    readsLists: true,
    body(value) {
      read(value)
      finished()
    },
  }
}

/** Returns the id as it is written in the bytes. */
const idToken = (value: JsonObject): string | null => {
  const id = asName(value['responseId'])
  return id === null ? null : JSON.stringify(id)
}

/** Returns a whole answer with one text: one object, one event, or a list of one. */
function geminiAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const response = {
    candidates: [{ content: { parts: [{ text: input.text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: noTokens,
    modelVersion: input.model,
    responseId: input.id,
  }
  const json = 'application/json; charset=UTF-8'
  if (!input.stream) return { contentType: json, body: Buffer.from(JSON.stringify(response)) }
  if (input.streamForm === 'json-array') return { contentType: json, body: Buffer.from(JSON.stringify([response])) }
  return { contentType: 'text/event-stream', body: Buffer.from(sseEvent(response)) }
}

/** No provider was asked, so nothing was used. */
const noTokens = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }
