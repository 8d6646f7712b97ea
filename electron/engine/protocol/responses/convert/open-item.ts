import type { BlockKind } from '../../canonical/answer.ts'

/** A block that has begun, and how many of its characters were emitted. */
export interface OpenBlock {
  block: number
  kind: BlockKind['kind']
  sent: number
  /** for a call: its deltas are no beginning of its arguments, which come whole at its end */
  isSealed: boolean
  /** indexes of its annotations that came in events of their own: the item's end repeats them */
  cited: Set<number>
}

/** An output item that is still growing. Blocks begin with their first text, so that an empty item leaves no trace. */
export interface OpenItem {
  type: string
  /** by content index; items other than messages have only one */
  blocks: Map<number, OpenBlock>
  /** a reasoning item shows a summary or its thoughts; the first to come counts */
  shows: 'summary' | 'content' | null
  summaryIndex: number
  /** only for a message */
  phase: string | null
  /** content indexes that an event of their own began */
  parts: Set<number>
}

export type ItemKey = number | string

export type DeltaKind = 'text' | 'refusal' | 'summary' | 'content' | 'call'

/** The type of the item that a delta belongs to, if no event began it. */
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
