import type { BlockKind } from '../../canonical/answer.ts'

/** A block that has begun, and how many characters of it were said. */
export interface OpenBlock {
  block: number
  kind: BlockKind['kind']
  sent: number
  /** of a call: what came is no beginning of its arguments, which are told at its end */
  isSealed: boolean
  /** its annotations that came in events of their own: the item's end says them again */
  cited: Set<number>
}

/** An output item while it comes. Blocks begin with their first words, so that what says nothing leaves no trace. */
export interface OpenItem {
  type: string
  /** by content index; other items than messages have one */
  blocks: Map<number, OpenBlock>
  /** a reasoning item shows a summary or its thoughts; the first to come counts */
  shows: 'summary' | 'content' | null
  summaryIndex: number
  /** a message's */
  phase: string | null
  /** content indexes that an event of their own began */
  parts: Set<number>
}

export type ItemKey = number | string

export type DeltaKind = 'text' | 'refusal' | 'summary' | 'content' | 'call'

/** Of which type the item is that a delta belongs to, where no event began it. */
export const typeOfDelta: Readonly<Record<DeltaKind, string>> = {
  text: 'message',
  refusal: 'message',
  summary: 'reasoning',
  content: 'reasoning',
  call: 'function_call',
}

export const openItem = (type: string): OpenItem => ({
  type,
  blocks: new Map(),
  shows: null,
  summaryIndex: 0,
  phase: null,
  parts: new Set(),
})
