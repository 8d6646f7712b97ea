import type { AnswerUsage } from '../../canonical/answer.ts'
import type { Frame } from '../../answer/frame.ts'
import type { ReadContext, StreamReader } from '../../canonical/codec.ts'
import { restarted } from '../../observe/restarts.ts'
import { fullest } from '../../usage-sums.ts'
import { asName, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { firstChoice } from './choices.ts'
import { plainChunks, type PlainChunks } from './plain-chunks.ts'
import { answerReader, stopSequenceOf } from './read-answer.ts'
import { usageOfChat, timedUsage } from '../usage-dialects.ts'
import { chatRestarts } from './restarts.ts'

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
