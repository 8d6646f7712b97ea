import type { AnswerEvent, AnswerUsage } from '../../canonical/answer.ts'
import type { StreamWriter, WriteContext } from '../../canonical/codec.ts'
import { errorEventText, failedError } from '../errors.ts'
import type { JsonObject } from '../../values.ts'
import {
  answerItem,
  isSaid,
  itemObject,
  sealItem,
  textOf,
  annotationEvent,
  beginEvents,
  cite,
  deltaEvent,
  doneEvents,
  type Shown,
} from './item-events.ts'
import { writeEnd, type End } from './finish.ts'
import { opening, responseHead, responseObject, usageObject, type ResponseHead } from './write-body.ts'

/** Writes every event of a response's life, in the order the official SDKs build their snapshot from. */
export function writeStream(context: WriteContext): StreamWriter {
  const open = new Map<number, Shown>()
  const output = finishedItems()
  /** the same as objects, if the caller wants the whole response at the end */
  const objects: JsonObject[] = []
  let sequence = 0
  let shown = 0
  let refusalSaid = false
  let head: ResponseHead | null = null
  let echo = ''
  let usageAtStart: AnswerUsage | null = null

  const event = (type: string, members: string): string =>
    `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence++},${members}}\n\n`

  function start(begun: Extract<AnswerEvent, { type: 'start' }>): string {
    head = responseHead(begun, context)
    echo = JSON.stringify(head.echo).slice(1)
    usageAtStart = begun.usage
    const response = responseJson(head, '', echo, 'in_progress')
    return event('response.created', response) + event('response.in_progress', response)
  }

  /** Adds the item to the output, and begins its one part of content. */
  function show(one: Shown): string {
    one.index = shown++
    one.place = `"item_id":${JSON.stringify(one.item.id)},"output_index":${one.index}`
    return beginEvents(one, event)
  }

  function delta(one: Shown, text: string): string {
    if (text === '') return ''
    one.item.text += text
    if (one.index >= 0) return deltaEvent(one, text, event)
    // citations that came before the first text
    const cited = one.item.annotations
    const begun = show(one) + deltaEvent(one, text, event)
    return begun + cited.map((annotation, i) => annotationEvent(one, annotation, i, event)).join('')
  }

  function end(one: Shown): string {
    const { item } = one
    if (!isSaid(item)) {
      if (item.annotations.length > 0) context.dropped('annotations')
      return ''
    }
    const begun = one.index < 0 ? show(one) : ''
    const rest = item.text === '' && textOf(item) !== '' ? deltaEvent(one, textOf(item), event) : ''
    const done = itemObject(item, 'completed')
    const json = JSON.stringify(done)
    output.add(one.index, json)
    if (context.final) objects[one.index] = done
    const content = begun + rest + doneEvents(one, event)
    return content + event('response.output_item.done', `"output_index":${one.index},"item":${json}`)
  }

  function endBlock(block: number, one: Shown): string {
    open.delete(block)
    const seal = sealItem(one.item, context)
    return end(one) + (seal ? end({ item: seal, index: -1, place: '' }) : '')
  }

  function finish({ reason, stopSequence, usage }: Extract<AnswerEvent, { type: 'finish' }>): string {
    const left = [...open].map(([block, one]) => endBlock(block, one)).join('')
    if (!head) return left
    if (stopSequence !== null) context.dropped('stopSequence')
    if (reason === 'pause-turn' || reason === 'incomplete') context.dropped(reason)
    const { status, reason: why } = writeEnd(reason, refusalSaid)
    const counted = usage ?? usageAtStart
    context.final?.(responseObject(head, status, why, null, objects, counted))
    return left + event(`response.${status}`, responseJson(head, output.json(), echo, status, why, counted))
  }

  /** Finished items count; an item that is still open is part of no answer. */
  function fail({ code, message }: Extract<AnswerEvent, { type: 'error' }>): string {
    const begun = head ? '' : start({ type: 'start', model: null, usage: null })
    const said = errorEventText({ code, message, sequence: sequence++ })
    if (!head) return begun + said
    const error = failedError({ code, message })
    const failed = responseJson(head, output.json(), echo, 'failed', null, usageAtStart, error)
    return begun + said + event('response.failed', failed)
  }

  return {
    write(said) {
      const one = 'block' in said ? open.get(said.block) : undefined
      switch (said.type) {
        case 'start':
          return start(said)
        case 'begin': {
          const begun = { item: answerItem(said.part, context), index: -1, place: '' }
          open.set(said.block, begun)
          if (said.part.kind === 'refusal') refusalSaid = true
          return said.part.kind === 'tool-call' ? show(begun) : ''
        }
        case 'delta':
          return one ? delta(one, said.text) : ''
        case 'seal':
          if (one) one.item.seal = said.seal
          return ''
        case 'citation':
          return cite(one, said.citation, event, context.dropped)
        case 'end':
          return one ? endBlock(said.block, one) : ''
        case 'finish':
          return finish(said)
        case 'error':
          return fail(said)
      }
    },
  }
}

/** Finished items as JSON, by output index. Those that end out of their order wait for those before them. */
function finishedItems() {
  const items: string[] = []
  /** the first of them joined, up to `joinedTo`: thousands of items are not joined at once */
  let joined = ''
  let joinedTo = 0
  return {
    add(index: number, item: string): void {
      items[index] = item
      for (let json = items[joinedTo]; json !== undefined; json = items[++joinedTo])
        joined += joined === '' ? json : `,${json}`
    },
    json: (): string => [joined, ...items.slice(joinedTo).filter(Boolean)].filter(Boolean).join(','),
  }
}

/** `output` and `echo` are JSON, without the brackets and brace in front. */
function responseJson(
  head: ResponseHead,
  output: string,
  echo: string,
  status: string,
  reason: End['reason'] = null,
  usage: AnswerUsage | null = null,
  error: JsonObject | null = null,
): string {
  const first = JSON.stringify(opening(head, status, reason, error)).slice(0, -1)
  return `"response":${first},"output":[${output}],"usage":${JSON.stringify(usageObject(usage))},${echo}`
}
