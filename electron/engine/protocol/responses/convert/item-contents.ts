import { cite } from '../../canonical/sources/cite.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { noteMembers, noteMembersOf } from '../../canonical/note-members.ts'
import { isSaid } from '../../chat/convert/members.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { readAnnotation } from './annotations.ts'
import { partMembers, thoughtMembers } from './answer-members.ts'
import type { ItemBlocks, OpenBlock, OpenItem } from './open-item.ts'
import { reasoningText, summaryGap } from './read-reasoning.ts'

/** Reads items of words, which come in parts. */
export function messageItems(blocks: ItemBlocks, context: ReadContext) {
  const { dropped, unshown } = context

  function beginWords(item: OpenItem, at: number, kind: 'text' | 'refusal'): OpenBlock {
    const { phase } = item
    if (phase === null || kind === 'text')
      return blocks.begin(item, at, kind === 'text' && phase !== null ? { kind, phase } : { kind })
    dropped('phase')
    return blocks.begin(item, at, { kind })
  }

  /**
   * Returns the block for a piece of a message: an index that no part began with counts pieces (vLLM), and the part
   * before it goes on.
   */
  function pieceOf(item: OpenItem, index: number, kind: 'text' | 'refusal'): OpenBlock {
    const known = item.blocks.get(index)
    if (known) return known
    const last = item.parts.has(index) ? undefined : [...item.blocks.values()].at(-1)
    return last?.kind === kind ? last : beginWords(item, index, kind)
  }

  function annotationsOf(open: OpenBlock | null, list: readonly unknown[]): void {
    for (const [i, entry] of list.entries()) {
      const annotation = asObject(entry)
      const citation = open?.cited.has(i) || !annotation ? null : readAnnotation(annotation, context)
      if (citation) cite([citation], open?.block ?? null, 'annotations', context)
    }
  }

  function otherPart(type: string): void {
    const label = /image|audio|file/.exec(type)?.[0]
    if (label === undefined) dropped(`output[].content[].${type}`)
    else unshown(`output[].content[].${type}`, label)
  }

  return {
    pieceOf,
    annotation(item: OpenItem, content: number, index: number | null, value: JsonObject): void {
      const block = pieceOf(item, content, 'text')
      const citation = readAnnotation(value, context)
      block.cited.add(index ?? block.cited.size)
      if (citation) cite([citation], block.block, 'annotations', context)
    },
    done(item: OpenItem, raw: JsonObject): void {
      const phase = asName(raw['phase'])
      // OpenAI sends the phase as the item begins. After the first text it comes too late.
      if (phase !== null && item.phase === null && item.blocks.size > 0) dropped('phase')
      item.phase ??= phase
      const content = asList(raw['content'])
      // vLLM goes on counting where the item before ended, so its parts are matched by their order.
      const inPlace = content.some((_, at) => item.blocks.has(at))
      const begun = [...item.blocks.values()]
      /** characters in the same block that belong to earlier parts */
      let ahead = 0
      for (const [at, entry] of content.entries()) {
        const part = asObject(entry)
        const kind = part?.['type'] === 'refusal' ? 'refusal' : 'text'
        const whole = asText(part?.[kind])
        if (!part || whole === null) otherPart(asText(part?.['type']) ?? 'type')
        const members = partMembers[asText(part?.['type']) ?? '']
        if (part && members) noteMembers(part, members, 'output[].content[].', dropped)
        if (isSaid(part?.['logprobs'])) dropped('logprobs')
        let known = inPlace ? item.blocks.get(at) : begun[at]
        if (whole && !known && ahead >= whole.length) ahead -= whole.length
        else if (whole) {
          known ??= beginWords(item, at, kind)
          ahead += Math.max(0, known.sent - whole.length)
          blocks.sayRest(known, whole)
        }
        annotationsOf(known ?? null, asList(part?.['annotations']))
      }
    },
  }
}

/** Reads items of thinking: a summary, or the thoughts themselves. */
export function reasoningItems(blocks: ItemBlocks, { emit, dropped }: ReadContext) {
  return {
    delta(item: OpenItem, kind: 'summary' | 'content', index: number, text: string): void {
      item.shows ??= kind
      if (item.shows !== kind) return dropped(`reasoning.${kind}`)
      const block = item.blocks.get(0) ?? blocks.begin(item, 0, { kind: 'thinking' })
      const isNext = index > item.summaryIndex && (kind === 'summary' || item.parts.has(index))
      if (isNext && block.sent > 0) blocks.say(block, summaryGap)
      item.summaryIndex = index
      blocks.say(block, text)
    },
    done(item: OpenItem, raw: JsonObject): void {
      for (const name of ['summary', 'content'])
        for (const part of asList(raw[name])) noteMembersOf(part, thoughtMembers, `output[].${name}[].`, dropped)
      const text = reasoningText(raw)
      const data = asName(raw['encrypted_content'])
      if (text === '' && data === null && item.blocks.size === 0) return
      const block = item.blocks.get(0) ?? blocks.begin(item, 0, { kind: 'thinking' })
      if (item.shows === 'content' && isSaid(raw['summary'])) dropped('reasoning.summary')
      else blocks.sayRest(block, item.shows === 'content' && item.parts.size === 0 ? reasoningText(raw, '') : text)
      if (data === null) return
      const id = asName(raw['id'])
      emit({
        type: 'seal',
        block: block.block,
        seal: { of: 'responses', data, ...(id === null ? {} : { id }), ...(text === '' ? {} : { text }) },
      })
    },
  }
}
