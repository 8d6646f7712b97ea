import type { AnswerEvent } from '../../canonical/answer.ts'
import type { BodyWriter, WriteContext } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { writeAnnotation } from './annotations.ts'
import { answerItem, isSaid, itemObject, sealItem, type AnswerItem } from './answer-items.ts'
import { writeEnd, type End } from './finish.ts'
import { responseHead, responseObject, type ResponseHead } from './response-object.ts'

/** Collects the answer into one response object. */
export function writeBody(context: WriteContext): BodyWriter {
  const items = new Map<number, AnswerItem>()
  let head: ResponseHead = responseHead({ type: 'start', model: null, usage: null }, context)
  let usage: Extract<AnswerEvent, { type: 'start' }>['usage'] = null
  let end: Extract<AnswerEvent, { type: 'finish' | 'error' }> | null = null

  function output(): JsonObject[] {
    const said: AnswerItem[] = []
    for (const item of items.values()) {
      if (isSaid(item)) said.push(item)
      else if (item.annotations.length > 0) context.dropped('annotations')
      const seal = sealItem(item, context)
      if (seal) said.push(seal)
    }
    return said.map((item) => itemObject(item, 'completed'))
  }

  function whole(status: string, reason: End['reason'], error: JsonObject | null): JsonObject {
    const body = responseObject(head, status, reason, error, output(), usage)
    context.final?.(body)
    return body
  }

  return {
    add(said) {
      switch (said.type) {
        case 'start': {
          head = responseHead(said, context)
          usage = said.usage
          return
        }
        case 'begin': {
          items.set(said.block, answerItem(said.part, context))
          return
        }
        case 'delta': {
          const item = items.get(said.block)
          if (item) item.text += said.text
          return
        }
        case 'seal': {
          const item = items.get(said.block)
          if (item) item.seal = said.seal
          return
        }
        case 'citation': {
          const item = items.get(said.block)
          const annotation = item && writeAnnotation(said.citation, item.text.length, context.dropped)
          if (item && annotation) item.annotations.push(annotation)
          return
        }
        case 'end':
          return
        case 'finish': {
          usage = said.usage ?? usage
          if (said.stopSequence !== null) context.dropped('stopSequence')
          if (said.reason === 'pause-turn' || said.reason === 'incomplete') context.dropped(said.reason)
          end = said
          return
        }
        case 'error':
          end = said
      }
    },
    body() {
      if (end?.type === 'error') return whole('failed', null, { code: end.code, message: end.message })
      const refusalSaid = [...items.values()].some(({ part }) => part.kind === 'refusal')
      const { status, reason } = end ? writeEnd(end.reason, refusalSaid) : { status: 'incomplete', reason: null }
      return whole(status, reason, null)
    },
  }
}
