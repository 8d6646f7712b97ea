import type { BlockKind } from '../../canonical/answer.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'

/** A content block of an answer that is being read. */
export interface OpenBlock {
  /** its number in the canonical answer; null for what has no place there */
  block: number | null
  kind: BlockKind['kind'] | null
  /** a call's arguments as its start said them; used when no pieces follow, so that none are said twice */
  whole: string | null
}

/** Says a block's beginning and what came with it. */
export function beginBlock(content: JsonObject, block: number, { emit, dropped, newId }: ReadContext): OpenBlock {
  const type = content['type']
  switch (type) {
    case 'text':
      emit({ type: 'begin', block, part: { kind: 'text' } })
      say(block, asText(content['text']), emit)
      if (asList(content['citations']).length > 0) dropped('citations')
      return { block, kind: 'text', whole: null }
    case 'thinking': {
      emit({ type: 'begin', block, part: { kind: 'thinking' } })
      say(block, asText(content['thinking']), emit)
      sealBlock(block, content['signature'], emit)
      return { block, kind: 'thinking', whole: null }
    }
    case 'redacted_thinking':
      emit({ type: 'begin', block, part: { kind: 'thinking' } })
      emit({ type: 'seal', block, seal: { of: 'messages', data: asText(content['data']) ?? '', redacted: true } })
      return { block, kind: 'thinking', whole: null }
    case 'tool_use': {
      emit({
        type: 'begin',
        block,
        part: {
          kind: 'tool-call',
          id: asName(content['id']) ?? newId('toolu_'),
          name: asText(content['name']) ?? '',
          custom: false,
        },
      })
      return { block, kind: 'tool-call', whole: inputOf(content['input']) }
    }
    default:
      // Tools that the vendor ran itself, and their results.
      dropped(asName(type) ?? 'content')
      return { block: null, kind: null, whole: null }
  }
}

export function sealBlock(block: number, signature: unknown, emit: ReadContext['emit']): void {
  const data = asName(signature)
  if (data !== null) emit({ type: 'seal', block, seal: { of: 'messages', data } })
}

function say(block: number, text: string | null, emit: ReadContext['emit']): void {
  if (text) emit({ type: 'delta', block, text })
}

/** A call without arguments says `{}`: its client parses what it got. */
const inputOf = (input: unknown): string => asName(input) ?? JSON.stringify(asObject(input) ?? {})

export function endBlock(open: OpenBlock, emit: ReadContext['emit']): void {
  if (open.block === null) return
  if (open.whole !== null) emit({ type: 'delta', block: open.block, text: open.whole })
  emit({ type: 'end', block: open.block })
}
