import type { Frame } from '../../answer/frame.ts'
import type { AnswerUsage } from '../../canonical/answer.ts'
import type { ReadContext, StreamReader } from '../../canonical/codec.ts'
import { knownMeaning } from '../../finish-names.ts'
import { errorIn, restarted } from '../../observe/peek.ts'
import { fullest } from '../../usage-sums.ts'
import { asName, type JsonObject, asObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { usageOfChat, timedUsage } from '../facts.ts'
import { plainChunks, type PlainChunks } from './plain-chunks.ts'
import { answerReader, stopSequenceOf } from './read-answer.ts'

/**
 * `chat.completion.chunk`s up to `[DONE]`. The finish waits for it: usage mostly comes one chunk after the finish, and
 * some vendors count in both.
 */
export function readStream(context: ReadContext): StreamReader {
  const answer = answerReader(context)
  const restarts = chatRestarts()
  const plain = plainChunks()
  let ending: { reason: string; stopSequence: string | null } | null = null
  let usage: AnswerUsage | null = null
  let timed: AnswerUsage | null = null
  /** usage came after all words so far */
  let counted = false

  function chunk(value: JsonObject, frame: Frame): void {
    const choices = facts.choices(value)
    const choice = choices.length === 1 ? choices[0] : firstChoice(value, context.dropped)
    // A new answer after the end does not undo it.
    if (choice && ending === null && restarts.again(value, choice)) return answer.fail(restarted)
    if (choice || asName(value['id']) !== null) answer.start(value)
    answer.aside(value)
    const fresh = usageOfChat(value)
    usage = fullest(usage, fresh)
    timed = timedUsage(value) ?? timed
    const before = answer.words
    if (choice && ending === null) {
      readChoice(choice)
      if (ending === null && choices.length === 1) plain.read(frame, value, choice)
    }
    // Sources may come after the finish reason; nothing else does.
    else if (choice) answer.message({ annotations: facts.message(choice)['annotations'] }, false)
    if (answer.words > before) counted = false
    else counted ||= fresh !== null
  }

  /** A chunk that differs from the last one only in its words. */
  function goesOn(like: NonNullable<PlainChunks['like']>, words: string): void {
    if (restarts.again(like.value, like.choice)) return answer.fail(restarted)
    const before = answer.words
    answer.content(words)
    if (answer.words > before) counted = false
  }

  function readChoice(choice: JsonObject): void {
    if (!facts.isFirst(choice)) return context.dropped('choices[1..]')
    answer.message(facts.message(choice), false)
    answer.asideChoice(choice)
    const reason = facts.finish(choice)
    if (reason === null) return
    ending = { reason, stopSequence: stopSequenceOf(choice) }
    answer.closeCalls()
  }

  function finish(): void {
    if (answer.over) return
    answer.close()
    answer.finish(ending?.reason ?? null, ending?.stopSequence ?? null, usage ?? timed, counted)
  }

  return {
    event(frame) {
      if (answer.over) return
      const words = ending === null ? plain.wordsIn(frame) : null
      if (words !== null && plain.like) return goesOn(plain.like, words)
      if (facts.isDone(frame)) return finish()
      if (frame.truncated)
        return answer.fail({ code: 'bad-answer', message: 'An event of the provider is too large to be read.' })
      const value = frame.value()
      if (!value)
        return frame.latin1.trim() === ''
          ? undefined
          : answer.fail({ code: 'bad-answer', message: 'The provider sent an event that is not a JSON object.' })
      const error = facts.error(value, frame.name)
      // OpenRouter reports “Token limit reached” after `length`: the answer had ended.
      if (error && ending === null) return answer.fail(error)
      if (error) context.dropped('error')
      chunk(value, frame)
    },
    whole: () => ending !== null,
    end() {
      if (answer.over) return
      if (ending) return finish()
      answer.fail({ code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' })
    },
  }
}

/** One `chat.completion` object. */
export function readBody(body: JsonObject, context: ReadContext): void {
  const answer = answerReader(context)
  const choice = firstChoice(body, context.dropped)
  const error = facts.error(body)
  if (error) return answer.fail(error)
  const reason = choice ? facts.finish(choice) : null
  // Azure leaves the message out where its filter stopped all of it.
  const isFiltered = knownMeaning(reason ?? '') === 'content-filter'
  const message = asObject(choice?.['message']) ?? asObject(choice?.['delta']) ?? (isFiltered ? {} : null)
  if (!choice || !message)
    return answer.fail({ code: 'bad-answer', message: 'The provider answered without a message.' })
  answer.start(body)
  answer.aside(body)
  answer.asideChoice(choice)
  answer.message(message, true)
  answer.close()
  const usage = usageOfChat(body)
  answer.finish(reason, stopSequenceOf(choice), usage ?? timedUsage(body), usage !== null)
}

export function readError(body: JsonObject): { code: string | null; message: string | null } {
  const list = Array.isArray(body) ? asObject(body[0]) : body
  const inner = asObject(list?.['error'])
  return inner || typeof list?.['error'] === 'string' ? codeAndMessage(errorIn(list ?? {})) : codeAndMessage(null, body)
}

/** vLLM and FastAPI servers put the error at the top, as `message` or `detail`. */
function codeAndMessage(
  error: { code: string; message: string } | null,
  body: JsonObject = {},
): { code: string | null; message: string | null } {
  if (error) return error
  const code = body['code']
  return {
    code: asName(code) ?? (typeof code === 'number' ? String(code) : null) ?? asName(body['type']),
    message: asName(body['message']) ?? asName(body['detail']),
  }
}

interface ChatRestarts {
  /** `choice`: the first of the chunk; one without any says nothing */
  again(chunk: JsonObject, choice: JsonObject | undefined): boolean
  /** the same for a chunk that is not parsed. @returns true if it has to be parsed */
  passes(text: string): boolean
  /** the same for a chunk like the one that passed before it */
  goesOn(): void
}

/**
 * Chat has no event that begins an answer. Servers send another id with every chunk (Foundry Local: issue 144 of
 * microsoft/foundry-local; Open WebUI: 23917; older LiteLLM: 1571) or the role with every chunk (Ollama: 7626), so
 * neither alone means a second answer. Both together do, after at least two chunks of one id of which only the first
 * had a role: such a server does neither by habit.
 */
export function chatRestarts(): ChatRestarts {
  let id: string | null = null
  /** as its bytes say it */
  let quoted = ''
  let chunks = 0
  let steady = true
  /** the last chunk that passed had the id */
  let named = false

  return {
    again(chunk, choice) {
      const its = asName(chunk['id'])
      if (its === null || !choice) return false
      const hasRole = asName(facts.message(choice)['role']) !== null
      chunks++
      if (id === null) {
        id = its
        quoted = JSON.stringify(its)
        steady = hasRole
        return false
      }
      if (its !== id && hasRole && steady && chunks > 2) return true
      if (its !== id || hasRole) steady = false
      return false
    },
    passes(text) {
      named = false
      if (!steady || id === null) return false
      if (text.includes('"role"')) return true
      named = text.includes(quoted)
      if (named) chunks++
      else if (text.includes('"id"')) steady = false
      return false
    },
    goesOn() {
      if (named) chunks++
    },
  }
}

/**
 * Returns the first choice: other protocols have no place for more. GitHub Copilot spreads one answer of Claude over
 * several entries of the same index, or of none: the text in one, the calls in the next; they come joined.
 * https://github.com/ericc-ch/copilot-api/pull/81
 */
function firstChoice(value: JsonObject, dropped: (name: string) => void): JsonObject | null {
  let first: JsonObject | null = null
  for (const choice of facts.choices(value)) {
    const isFirst = facts.isFirst(choice)
    if (isFirst && first === null) first = choice
    else if (first && isFirst && goesOn(first, choice)) first = joined(first, choice)
    else dropped('choices[1..]')
  }
  return first
}

/** Without an index, a second text is another answer. */
const goesOn = (first: JsonObject, next: JsonObject): boolean =>
  next['index'] !== undefined ||
  asName(facts.wholeMessage(first)['content']) === null ||
  asName(facts.wholeMessage(next)['content']) === null

function joined(first: JsonObject, next: JsonObject): JsonObject {
  const before = facts.wholeMessage(first)
  const after = facts.wholeMessage(next)
  const message: Record<string, unknown> = { ...before }
  for (const [name, given] of Object.entries(after)) {
    const had = message[name]
    if (given === null || given === '') continue
    const both = typeof had === 'string' && typeof given === 'string' && name !== 'role'
    message[name] = both ? had + given : given
  }
  const calls = [...facts.calls(before), ...facts.calls(after)]
  if (calls.length > 0) message['tool_calls'] = calls
  const finish = facts.finish(first) ?? facts.finish(next)
  return { ...first, finish_reason: finish, [first['message'] === undefined ? 'delta' : 'message']: message }
}
