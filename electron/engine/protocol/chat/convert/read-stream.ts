import type { AnswerUsage } from '../../canonical/answer.ts'
import type { ReadContext, StreamReader } from '../../canonical/codec.ts'
import { describe, errorIn } from '../../observe/errors.ts'
import type { SseEvent } from '../../sse/split.ts'
import { asList, asName, asObject, parseObject, type JsonObject } from '../../values.ts'
import { isDone } from '../observe.ts'
import { answerReader, firstChoice, stopSequenceOf } from './read-answer.ts'
import { readUsage } from './usage.ts'

/** `chat.completion.chunk`s up to `[DONE]`. The finish waits for the usage, which mostly comes one chunk behind it. */
export function readStream(context: ReadContext): StreamReader {
  const answer = answerReader(context)
  let ending: { reason: string; stopSequence: string | null } | null = null
  let usage: AnswerUsage | null = null
  let sawDropped = false
  let closed = false

  function chunk(value: JsonObject): void {
    const choices = asList(value['choices'])
    const choice = choices.length === 1 ? asObject(choices[0]) : firstChoice(value, context.dropped)
    if (choice || asName(value['id']) !== null) answer.start(value)
    if (!sawDropped) {
      sawDropped = true
      answer.aside(value)
    }
    const fresh = readUsage(value['usage']) ?? readUsage(choice?.['usage'])
    usage = fresh ?? usage
    if (choice && ending === null) readChoice(choice)
    if (ending && fresh) finish()
  }

  function readChoice(choice: JsonObject): void {
    if (choice['index'] !== undefined && choice['index'] !== 0 && choice['index'] !== null)
      return context.dropped('choices[1..]')
    const message = asObject(choice['delta']) ?? asObject(choice['message'])
    if (message) answer.message(message, false)
    if (choice['logprobs'] !== undefined && choice['logprobs'] !== null) context.dropped('logprobs')
    const reason = asName(choice['finish_reason'])
    if (reason === null) return
    ending = { reason, stopSequence: stopSequenceOf(choice) }
    close()
  }

  function close(): void {
    if (!closed) answer.close()
    closed = true
  }

  function finish(): void {
    if (answer.over) return
    close()
    answer.finish(ending?.reason ?? null, ending?.stopSequence ?? null, usage)
  }

  return {
    event(event: SseEvent) {
      if (answer.over) return
      if (isDone(event.data)) return finish()
      if (event.truncated)
        return answer.fail({ code: 'bad-answer', message: 'An event of the provider is too large to be read.' })
      const value = parseObject(event.data)
      if (!value)
        return event.data.toString('latin1').trim() === ''
          ? undefined
          : answer.fail({ code: 'bad-answer', message: 'The provider sent an event that is not a JSON object.' })
      const error =
        errorIn(value) ??
        errorIn(asObject(asList(value['choices'])[0]) ?? {}) ??
        (value['choices'] === undefined && event.name() === 'error' ? describe(value) : null)
      if (error) return answer.fail(error)
      chunk(value)
    },
    end() {
      if (answer.over) return
      if (ending) return finish()
      answer.fail({ code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' })
    },
  }
}
