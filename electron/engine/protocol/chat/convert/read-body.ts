import type { ReadContext } from '../../canonical/codec.ts'
import { knownMeaning } from '../../finish-names.ts'
import { errorIn } from '../../observe/errors.ts'
import { asName, asObject, type JsonObject } from '../../values.ts'
import { firstChoice } from './choices.ts'
import { answerReader, stopSequenceOf } from './read-answer.ts'
import * as facts from '../facts.ts'
import { usageOfChat, timedUsage } from '../usage-dialects.ts'

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
