import type { Frame } from '../answer/frame.ts'
import { readRequest } from '../lens/lens.ts'
import { needsOf } from '../needs/needs-of.ts'
import { describe, errorIn, beginnings, restarted, eventType, stringBehind } from '../observe/peek.ts'
import { observeResponse, addTool, nothingSeen, type AnswerReader } from '../observe/observer.ts'
import type { EntryCodec } from '../types.ts'
import { recordedUsage } from '../usage-sums.ts'
import { parseObject, asName, asObjects, asText, type JsonObject } from '../values.ts'
import { responsesAnswer } from './answer.ts'
import { echoedMembers, echoObject } from './echo.ts'
import { responsesError, responsesErrorEvent, responsesFailedEvent } from './errors.ts'
import * as facts from './facts.ts'
import { finishOfResponse, usageOfResponse } from './facts.ts'
import { asksClient } from './item-kinds.ts'
import { responsesDialect } from './request-lens.ts'

export const responsesCodec: EntryCodec = {
  protocol: 'responses',
  read: (body) => readRequest(body, responsesDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(responsesReader(), form, status),
  answer(input) {
    const asked = (input.asked && parseObject(input.asked)) ?? {}
    return responsesAnswer(input, echoObject(echoedMembers((name) => asked[name])))
  },
  error: responsesError,
  errorEvent: responsesErrorEvent,
  failedEvent: responsesFailedEvent,
}

/** Reads Responses: one object, or events up to `response.completed`, `.incomplete` or `.failed`. */
function responsesReader(): AnswerReader {
  const seen = nothingSeen()
  const begins = beginnings()
  const said = { call: false, refusal: false }
  let ended = false
  /** an item has begun */
  let begun = false
  /** texts come in deltas */
  let streamed = false

  function event(frame: Frame): void {
    const type = eventType(frame)
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
        return created(facts.response(frame.value()))
      case 'response.output_item.added':
        begun = true
        seen.tail.separate()
        return readItem(facts.item(frame.value()) ?? {})
      case 'response.output_item.done':
        return readDone(facts.item(frame.value()) ?? {})
      case 'error':
        ended = true
        seen.error = facts.error(frame.value() ?? {})
        return
      default: {
        const finish = facts.finish(type)
        if (finish !== null) terminal(finish, facts.response(frame.value()))
      }
    }
  }

  function created(response: JsonObject): void {
    // Events after the end don't undo it.
    if (seen.complete) return
    if (!begins.again(response, streamed || begun)) return readIdentity(response)
    seen.error = restarted
    ended = true
  }

  function terminal(status: string, response: JsonObject): void {
    readResponse(response)
    ended = true
    seen.complete = true
    seen.finish = finishOfResponse(status, response, said)
    if (status === 'failed') seen.error ??= describe({})
  }

  function readIdentity(response: JsonObject): void {
    seen.responseId ??= asName(response['id'])
    seen.model ??= asName(response['model'])
  }

  function readResponse(response: JsonObject): void {
    readIdentity(response)
    seen.error ??= errorIn(response)
    seen.usage = recordedUsage(usageOfResponse(facts.usage(response))) ?? seen.usage
    const wasEmpty = seen.tail.isEmpty()
    for (const item of asObjects(response['output'])) {
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
    said.refusal ||= facts.parts(item).some(facts.isRefusal)
    if (type === null || !asksClient(item)) return
    said.call = true
    addTool(seen, asText(item['name']) ?? type)
  }

  function addMessage(item: JsonObject): void {
    seen.tail.separate()
    for (const part of facts.parts(item)) {
      const text = facts.text(part)
      if (text !== '') seen.tail.addText(text)
    }
  }

  return {
    seen,
    ended: () => ended,
    over: () => seen.complete,
    frame: event,
    body(value) {
      readResponse(value)
      seen.finish = finishOfResponse(asText(value['status']), value, said)
    },
  }
}
