import type { Citation } from '../../canonical/answer.ts'
import type { JsonObject } from '../../values.ts'
import { writeAnnotation } from './annotations.ts'
import { contentPart, itemObject, summaryPart, textOf, type AnswerItem } from './answer-items.ts'

/** An item and the place its events name. It is shown once it has content. */
export interface Shown {
  item: AnswerItem
  index: number
  place: string
}

/** Writes an event under the next number. */
type WriteEvent = (type: string, members: string) => string

/** The events that begin an item and its one part of content. */
export function beginEvents({ item, index, place }: Shown, event: WriteEvent): string {
  const added = event(
    'response.output_item.added',
    `"output_index":${index},"item":${JSON.stringify(itemObject(item, 'in_progress'))}`,
  )
  const { kind } = item.part
  if (kind === 'text' || kind === 'refusal')
    return (
      added +
      event('response.content_part.added', `${place},"content_index":0,"part":${JSON.stringify(contentPart(kind, ''))}`)
    )
  if (kind === 'thinking' && item.text !== '')
    return (
      added +
      event(
        'response.reasoning_summary_part.added',
        `${place},"summary_index":0,"part":${JSON.stringify(summaryPart(''))}`,
      )
    )
  return added
}

export function deltaEvent({ item, place }: Shown, text: string, event: WriteEvent): string {
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

export const annotationEvent = ({ place }: Shown, annotation: JsonObject, i: number, event: WriteEvent): string =>
  event(
    'response.output_text.annotation.added',
    `${place},"content_index":0,"annotation_index":${i},"annotation":${JSON.stringify(annotation)}`,
  )

/** A finished item can't be changed any more, so a citation for it is lost. */
export function cite(
  one: Shown | undefined,
  citation: Citation,
  event: WriteEvent,
  dropped: (name: string) => void,
): string {
  if (!one) dropped('annotations')
  const annotation = one && writeAnnotation(citation, one.item.text.length, dropped)
  if (!one || !annotation) return ''
  const count = one.item.annotations.push(annotation)
  return one.index < 0 ? '' : annotationEvent(one, annotation, count - 1, event)
}

/** The events that end an item's content. */
export function doneEvents({ item, place }: Shown, event: WriteEvent): string {
  if (item.searches) return ''
  const said = JSON.stringify(textOf(item))
  switch (item.part.kind) {
    case 'text':
      return (
        event('response.output_text.done', `${place},"content_index":0,"text":${said},"logprobs":[]`) +
        contentDone(place, event, contentPart('text', item.text, item.annotations))
      )
    case 'refusal':
      return (
        event('response.refusal.done', `${place},"content_index":0,"refusal":${said}`) +
        contentDone(place, event, contentPart('refusal', item.text))
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

const contentDone = (place: string, event: WriteEvent, part: object): string =>
  event('response.content_part.done', `${place},"content_index":0,"part":${JSON.stringify(part)}`)
