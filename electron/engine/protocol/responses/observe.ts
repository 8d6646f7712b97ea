import { describe, errorIn } from '../observe/errors.ts'
import { beginnings, restarted } from '../observe/restarts.ts'
import { stringBehind, typeOf } from '../observe/peek.ts'
import { addTool, nothingSeen, type AnswerReader } from '../observe/reader.ts'
import type { Frame } from '../answer/frame.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../values.ts'
import { recordedUsage } from '../usage-sums.ts'
import { finishOfResponse } from './finish.ts'
import { asksClient } from './item-kinds.ts'
import { usageOfResponse } from './usage-dialects.ts'

/** Reads Responses: one object, or events up to `response.completed`, `.incomplete` or `.failed`. */
export function responsesReader(): AnswerReader {
  const seen = nothingSeen()
  const begins = beginnings()
  const said = { call: false, refusal: false }
  let ended = false
  /** an item has begun */
  let begun = false
  /** texts come in deltas */
  let streamed = false

  function event(frame: Frame): void {
    const type = typeOf(frame) ?? frame.name
    switch (type) {
      case 'response.output_text.delta': {
        const { data } = frame
        const delta = stringBehind(frame.latin1, 'delta')
        if (delta && data) seen.tail.addToken(data, delta)
        streamed = true
        return
      }
      case 'response.refusal.delta':
      case 'response.refusal.done':
        said.refusal = true
        return
      case 'response.created':
        return created(part(frame, 'response'))
      case 'response.output_item.added':
        begun = true
        seen.tail.separate()
        return readItem(part(frame, 'item'))
      case 'response.output_item.done':
        return readDone(part(frame, 'item'))
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return terminal(type.slice('response.'.length), part(frame, 'response'))
      case 'error':
        return failed(frame.value() ?? {})
    }
  }

  function created(response: JsonObject): void {
    // What comes behind the end does not undo it.
    if (seen.complete) return
    if (!begins.again(response, streamed || begun)) return readIdentity(response)
    seen.error = restarted
    ended = true
  }

  function terminal(status: string, response: JsonObject): void {
    readResponse(response)
    ended = true
    seen.complete = true
    // A response that ends under its own name is what that name says, whatever its status member holds.
    seen.finish = finishOfResponse(status, response, said)
    if (status === 'failed') seen.error ??= describe({})
  }

  function failed(value: JsonObject): void {
    seen.error = errorIn(value) ?? describe({ ...value, type: undefined })
    ended = true
  }

  function readIdentity(response: JsonObject): void {
    seen.responseId ??= asName(response['id'])
    seen.model ??= asName(response['model'])
  }

  function readResponse(response: JsonObject): void {
    readIdentity(response)
    seen.error ??= errorIn(response)
    seen.usage = recordedUsage(usageOfResponse(response['usage'])) ?? seen.usage
    const wasEmpty = seen.tail.isEmpty
    for (const entry of asList(response['output'])) {
      const item = asObject(entry)
      if (!item) continue
      readItem(item)
      if (wasEmpty && item['type'] === 'message') addMessage(item)
    }
  }

  /** Some gateways send finished items only. */
  function readDone(item: JsonObject): void {
    readItem(item)
    if (!streamed && item['type'] === 'message') addMessage(item)
  }

  function readItem(item: JsonObject): void {
    const type = asText(item['type'])
    said.refusal ||= asList(item['content']).some((entry) => asObject(entry)?.['type'] === 'refusal')
    if (type === null || !asksClient(item)) return
    said.call = true
    addTool(seen, asText(item['name']) ?? type)
  }

  function addMessage(item: JsonObject): void {
    seen.tail.separate()
    for (const entry of asList(item['content'])) {
      const text = asText(asObject(entry)?.['text'])
      if (text) seen.tail.addText(text)
    }
  }

  return {
    seen,
    get ended() {
      return ended
    },
    frame: event,
    body(value) {
      readResponse(value)
      seen.finish = finishOfResponse(asText(value['status']), value, said)
    },
  }
}

const part = (frame: Frame, name: string): JsonObject => asObject(frame.value()?.[name]) ?? {}
