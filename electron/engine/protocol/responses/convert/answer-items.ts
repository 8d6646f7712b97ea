import type { BlockKind } from '../../canonical/answer.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import { isCutOff } from '../../canonical/json-end.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { toolSearch } from './read-tools.ts'
import { searchCall } from './web-search.ts'

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

export const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text })

export const contentPart = (
  kind: 'text' | 'refusal',
  text: string,
  annotations: readonly JsonObject[] = [],
): JsonObject =>
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
