import { describe, errorIn } from '../observe/errors.ts'
import { stringBehind, typeOf } from '../observe/peek.ts'
import { addTool, nothingSeen, type AnswerReader } from '../observe/reader.ts'
import type { SseEvent } from '../sse/split.ts'
import { asList, asName, asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { finishOfResponse, isToolItem, usageOfResponse } from './finish.ts'

/** Reads Responses: one object, or events up to `response.completed`, `.incomplete` or `.failed`. */
export function responsesReader(): AnswerReader {
  const seen = nothingSeen()
  let hasTools = false
  let ended = false

  function event({ name, data, truncated }: SseEvent): void {
    const type = typeOf(data) ?? name()
    switch (type) {
      case 'response.output_text.delta': {
        const delta = stringBehind(data.toString('latin1'), 'delta')
        if (delta) seen.tail.addToken(data, delta)
        return
      }
      case 'response.created':
        return readIdentity(part(data, 'response'))
      case 'response.output_item.added':
        seen.tail.separate()
        return readItem(part(data, 'item'))
      case 'response.output_item.done':
        return readItem(part(data, 'item'))
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return terminal(type.slice('response.'.length), truncated ? {} : part(data, 'response'))
      case 'error':
        return failed(parseObject(data) ?? {})
    }
  }

  function terminal(status: string, response: JsonObject): void {
    readResponse(response)
    ended = true
    seen.complete = true
    // A response that ends under its own name is what that name says, whatever its status member holds.
    seen.finish = finishOfResponse(status, response, hasTools)
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
    seen.usage = usageOfResponse(response['usage']) ?? seen.usage
    const wasEmpty = seen.tail.isEmpty
    for (const entry of asList(response['output'])) {
      const item = asObject(entry)
      if (!item) continue
      readItem(item)
      if (wasEmpty && item['type'] === 'message') addMessage(item)
    }
  }

  function readItem(item: JsonObject): void {
    const type = asText(item['type'])
    if (type === null || !isToolItem(type)) return
    hasTools = true
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
    event,
    body(value) {
      readResponse(value)
      seen.finish = finishOfResponse(asText(value['status']), value, hasTools)
    },
  }
}

const part = (data: Buffer, name: string): JsonObject => asObject(parseObject(data)?.[name]) ?? {}
