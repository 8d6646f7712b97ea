import type { Citation, BlockKind } from '../../canonical/answer.ts'
import { type ReadContext, noteMembers, type WriteContext } from '../../canonical/codec.ts'
import { isCutOff } from '../../canonical/json-end.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { type JsonObject, asName, asNumber, parseObject } from '../../values.ts'
import { toolSearch } from './read-tools.ts'
import { searchCall } from './web-search.ts'

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

const path = 'output[].content[].annotations[].'
const known: Partial<Record<string, ReadonlySet<string>>> = {
  url_citation: new Set(['type', 'url', 'title', 'start_index', 'end_index']),
  file_citation: new Set(['type', 'filename', 'index']),
  container_file_citation: new Set(['type', 'filename', 'start_index', 'end_index']),
}

/**
 * Reads an annotation of a text (`ResponseOutputText` of openai): the page or file that a part of it rests on. Returns
 * null, and records it, if it names no source (`file_path` is a file that the answer made).
 */
export function readAnnotation(
  value: JsonObject,
  { dropped, unshown }: Pick<ReadContext, 'dropped' | 'unshown'>,
): Citation | null {
  const type = asName(value['type']) ?? 'type'
  const members = known[type]
  const url = asName(value['url'])
  const title = asName(value['title']) ?? asName(value['filename'])
  if (!members || (url === null && title === null)) {
    unshown(path + type, type === 'file_path' ? 'file' : 'sources', 'aside')
    return null
  }
  noteMembers(value, members, path, dropped)
  const place = asNumber(value['index'])
  return {
    url,
    title,
    quote: null,
    start: asNumber(value['start_index']) ?? place,
    end: asNumber(value['end_index']) ?? place,
  }
}

/**
 * Writes a source as `url_citation`. The SDKs require a place: an unknown one is the end of the text so far. Returns
 * null, and records it, for a source without an address, since other kinds name files that OpenAI keeps.
 */
export function writeAnnotation(
  { url, title, quote, start, end }: Citation,
  said: number,
  dropped: (name: string) => void,
): JsonObject | null {
  if (url === null) {
    dropped('annotations')
    return null
  }
  if (quote !== null) dropped('citations.quote')
  return { type: 'url_citation', start_index: start ?? said, end_index: end ?? said, url, title: title ?? url }
}

/**
 * A block as an output item of its own. Its whole text is kept, because the item's end and the final object repeat it.
 */
export interface AnswerItem {
  readonly id: string
  readonly part: BlockKind
  text: string
  /** true for a call by which the client searches its tools */
  readonly searches: boolean
  /** the sources of a text */
  annotations: JsonObject[]
  seal: Seal | null
}

export function answerItem(part: BlockKind, context: WriteContext): AnswerItem {
  const searches = isSearch(part, context)
  return {
    id: context.newId(searches ? 'tsc_' : prefixOf(part)),
    part,
    text: '',
    searches,
    annotations: [],
    seal: null,
  }
}

const isSearch = (part: BlockKind, { request }: WriteContext): boolean =>
  part.kind === 'tool-call' &&
  part.name === toolSearch &&
  request.tools.some((tool) => tool.type === 'function' && tool.searches)

function prefixOf(part: BlockKind): string {
  switch (part.kind) {
    case 'thinking':
      return 'rs_'
    case 'search':
      return 'ws_'
    case 'tool-call':
      return part.custom ? 'ctc_' : 'fc_'
    default:
      return 'msg_'
  }
}

/** True if a block has text, a call or sealed thoughts: else it makes no item. */
export const isSaid = ({ part, text, seal }: AnswerItem): boolean =>
  part.kind === 'tool-call' || part.kind === 'search' || text !== '' || (part.kind === 'thinking' && seal !== null)

/** A call without arguments still needs JSON for them. */
export const textOf = ({ part, text }: AnswerItem): string =>
  text === '' && part.kind === 'tool-call' && !part.custom ? '{}' : text

/** Returns the item as it begins (`in_progress`, without its text) or as it is in the end. */
export function itemObject(item: AnswerItem, status: 'in_progress' | 'completed'): JsonObject {
  const { id, part } = item
  const begins = status === 'in_progress'
  const text = begins ? '' : textOf(item)
  switch (part.kind) {
    case 'thinking':
      return {
        id,
        type: 'reasoning',
        summary: text === '' ? [] : [summaryPart(text)],
        encrypted_content: !begins && item.seal ? sealForClient(item.seal, 'responses') : null,
      }
    case 'search':
      return searchCall(id, part, begins)
    case 'tool-call': {
      if (item.searches)
        return {
          id,
          type: 'tool_search_call',
          status: isCutOff(text) ? 'incomplete' : status,
          call_id: part.id,
          execution: 'client',
          arguments: parseObject(Buffer.from(text)) ?? {},
        }
      const named = {
        call_id: part.id,
        name: part.name,
        ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
      }
      return part.custom
        ? { id, type: 'custom_tool_call', status, ...named, input: text }
        : // A call that the answer's limit cut off must not look whole.
          { id, type: 'function_call', status: isCutOff(text) ? 'incomplete' : status, ...named, arguments: text }
    }
    default:
      return {
        id,
        type: 'message',
        role: 'assistant',
        status,
        ...(part.kind === 'text' && part.phase !== undefined ? { phase: part.phase } : {}),
        content: begins ? [] : [contentPart(part.kind, text, item.annotations)],
      }
  }
}

const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text })

const contentPart = (kind: 'text' | 'refusal', text: string, annotations: readonly JsonObject[] = []): JsonObject =>
  kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations, logprobs: [] }

/**
 * The seal of anything but thinking follows as a reasoning item without text, for a call under the call's id: of all
 * items, only reasoning is sent back by clients with bytes they don't understand (`attachSeal` reads it).
 */
export function sealItem({ part, seal }: AnswerItem, context: WriteContext): AnswerItem | null {
  if (!seal || part.kind === 'thinking') return null
  const own = part.kind === 'tool-call' ? { ...seal, id: part.id } : seal
  return { id: context.newId('rs_'), part: { kind: 'thinking' }, text: '', searches: false, annotations: [], seal: own }
}
