import type { AnswerEvent, AnswerUsage, Citation } from '../../canonical/answer.ts'
import type { StreamWriter, WriteContext } from '../../canonical/codec.ts'
import { errorEventText, failedError } from '../errors.ts'
import type { JsonObject } from '../../values.ts'
import { writeAnnotation } from './annotations.ts'
import {
  answerItem,
  contentPart,
  isSaid,
  itemObject,
  sealItem,
  summaryPart,
  textOf,
  type AnswerItem,
} from './answer-items.ts'
import { writeEnd, type End } from './finish.ts'
import { opening, responseHead, responseObject, usageObject, type ResponseHead } from './response-object.ts'

/** An item and the place its events name. It is shown once it has content. */
interface Shown {
  item: AnswerItem
  index: number
  place: string
}

/** Writes every event of a response's life, in the order the official SDKs build their snapshot from. */
export function writeStream(context: WriteContext): StreamWriter {
  const open = new Map<number, Shown>()
  /** finished items as JSON, by output index */
  const output: string[] = []
  /** the first of them joined, up to `joinedTo`: thousands of items are not joined at once */
  let joined = ''
  let joinedTo = 0
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
    const response = responseJson(head, 'in_progress')
    return event('response.created', response) + event('response.in_progress', response)
  }

  function responseJson(
    of: ResponseHead,
    status: string,
    reason: End['reason'] = null,
    usage: AnswerUsage | null = null,
    error: JsonObject | null = null,
  ): string {
    const first = JSON.stringify(opening(of, status, reason, error)).slice(0, -1)
    return (
      `"response":${first},"output":[${status === 'in_progress' ? '' : joinedOutput()}],` +
      `"usage":${JSON.stringify(usageObject(usage))},${echo}`
    )
  }

  /** Items that end out of their order wait for those before them. */
  function join(): void {
    for (let json = output[joinedTo]; json !== undefined; json = output[++joinedTo])
      joined += joined === '' ? json : `,${json}`
  }
  const joinedOutput = (): string => [joined, ...output.slice(joinedTo).filter(Boolean)].filter(Boolean).join(',')

  /** Adds the item to the output, and begins its one part of content. */
  function show(one: Shown): string {
    one.index = shown++
    const { item } = one
    one.place = `"item_id":${JSON.stringify(item.id)},"output_index":${one.index}`
    const added = event(
      'response.output_item.added',
      `"output_index":${one.index},"item":${JSON.stringify(itemObject(item, 'in_progress'))}`,
    )
    const { kind } = item.part
    if (kind === 'text' || kind === 'refusal')
      return (
        added +
        event(
          'response.content_part.added',
          `${one.place},"content_index":0,"part":${JSON.stringify(contentPart(kind, ''))}`,
        )
      )
    if (kind === 'thinking' && item.text !== '')
      return (
        added +
        event(
          'response.reasoning_summary_part.added',
          `${one.place},"summary_index":0,"part":${JSON.stringify(summaryPart(''))}`,
        )
      )
    return added
  }

  function delta(one: Shown, text: string): string {
    if (text === '') return ''
    one.item.text += text
    if (one.index >= 0) return deltaEvent(one, text)
    // citations that came before the first text
    const cited = one.item.annotations
    return show(one) + deltaEvent(one, text) + cited.map((annotation, i) => annotated(one, annotation, i)).join('')
  }

  const annotated = ({ place }: Shown, annotation: JsonObject, i: number): string =>
    event(
      'response.output_text.annotation.added',
      `${place},"content_index":0,"annotation_index":${i},"annotation":${JSON.stringify(annotation)}`,
    )

  /** A finished item can't be changed any more, so a citation for it is lost. */
  function cite(one: Shown | undefined, citation: Citation): string {
    if (!one) context.dropped('annotations')
    const annotation = one && writeAnnotation(citation, one.item.text.length, context.dropped)
    if (!one || !annotation) return ''
    const count = one.item.annotations.push(annotation)
    return one.index < 0 ? '' : annotated(one, annotation, count - 1)
  }

  function deltaEvent({ item, place }: Shown, text: string): string {
    if (item.searches) return ''
    const said = JSON.stringify(text)
    switch (item.part.kind) {
      case 'text':
        return event('response.output_text.delta', `${place},"content_index":0,"delta":${said},"logprobs":[]`)
      case 'refusal':
        return event('response.refusal.delta', `${place},"content_index":0,"delta":${said}`)
      case 'thinking':
        return event('response.reasoning_summary_text.delta', `${place},"summary_index":0,"delta":${said}`)
      case 'search':
        return ''
      case 'tool-call':
        return event(
          item.part.custom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta',
          `${place},"delta":${said}`,
        )
    }
  }

  function end(one: Shown): string {
    const { item } = one
    if (!isSaid(item)) {
      if (item.annotations.length > 0) context.dropped('annotations')
      return ''
    }
    const begun = one.index < 0 ? show(one) : ''
    const rest = item.text === '' && textOf(item) !== '' ? deltaEvent(one, textOf(item)) : ''
    const done = itemObject(item, 'completed')
    const json = JSON.stringify(done)
    output[one.index] = json
    join()
    if (context.final) objects[one.index] = done
    return (
      begun + rest + partDone(one) + event('response.output_item.done', `"output_index":${one.index},"item":${json}`)
    )
  }

  function partDone({ item, place }: Shown): string {
    if (item.searches) return ''
    const said = JSON.stringify(textOf(item))
    switch (item.part.kind) {
      case 'text':
        return (
          event('response.output_text.done', `${place},"content_index":0,"text":${said},"logprobs":[]`) +
          contentDone(place, contentPart('text', item.text, item.annotations))
        )
      case 'refusal':
        return (
          event('response.refusal.done', `${place},"content_index":0,"refusal":${said}`) +
          contentDone(place, contentPart('refusal', item.text))
        )
      case 'thinking':
        return item.text === ''
          ? ''
          : event('response.reasoning_summary_text.done', `${place},"summary_index":0,"text":${said}`) +
              event(
                'response.reasoning_summary_part.done',
                `${place},"summary_index":0,"part":${JSON.stringify(summaryPart(item.text))}`,
              )
      case 'search':
        return ['in_progress', 'searching', 'completed']
          .map((step) => event(`response.web_search_call.${step}`, place))
          .join('')
      case 'tool-call':
        return item.part.custom
          ? event('response.custom_tool_call_input.done', `${place},"input":${said}`)
          : event(
              'response.function_call_arguments.done',
              `${place},"name":${JSON.stringify(item.part.name)},"arguments":${said}`,
            )
    }
  }

  const contentDone = (place: string, part: object): string =>
    event('response.content_part.done', `${place},"content_index":0,"part":${JSON.stringify(part)}`)

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
    return left + event(`response.${status}`, responseJson(head, status, why, counted))
  }

  /** Finished items count; an item that is still open is part of no answer. */
  function fail({ code, message }: Extract<AnswerEvent, { type: 'error' }>): string {
    const begun = head ? '' : start({ type: 'start', model: null, usage: null })
    const said = errorEventText({ code, message, sequence: sequence++ })
    if (!head) return begun + said
    return (
      begun +
      said +
      event('response.failed', responseJson(head, 'failed', null, usageAtStart, failedError({ code, message })))
    )
  }

  return {
    write(said) {
      switch (said.type) {
        case 'start':
          return start(said)
        case 'begin': {
          const one = { item: answerItem(said.part, context), index: -1, place: '' }
          open.set(said.block, one)
          if (said.part.kind === 'refusal') refusalSaid = true
          return said.part.kind === 'tool-call' ? show(one) : ''
        }
        case 'delta': {
          const one = open.get(said.block)
          return one ? delta(one, said.text) : ''
        }
        case 'seal': {
          const one = open.get(said.block)
          if (one) one.item.seal = said.seal
          return ''
        }
        case 'citation':
          return cite(open.get(said.block), said.citation)
        case 'end': {
          const one = open.get(said.block)
          return one ? endBlock(said.block, one) : ''
        }
        case 'finish':
          return finish(said)
        case 'error':
          return fail(said)
      }
    },
  }
}
