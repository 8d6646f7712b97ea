import type { BlockKind, Emit } from '../../canonical/answer.ts'

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

/** Emits the blocks of items. */
export function itemBlocks(emit: Emit) {
  const said = { call: false, refusal: false }
  let blocks = 0

  function say(open: OpenBlock, text: string): void {
    if (text === '') return
    open.sent += text.length
    emit({ type: 'delta', block: open.block, text })
  }

  return {
    said,
    say,
    begin(item: OpenItem, at: number, part: BlockKind): OpenBlock {
      const opened = { block: blocks++, kind: part.kind, sent: 0, isSealed: false, cited: new Set<number>() }
      item.blocks.set(at, opened)
      if (part.kind === 'tool-call') said.call = true
      if (part.kind === 'refusal') said.refusal = true
      emit({ type: 'begin', block: opened.block, part })
      return opened
    },
    /** emits what a finished item has beyond its deltas */
    sayRest(open: OpenBlock, whole: string): void {
      if (whole.length > open.sent) say(open, open.sent === 0 ? whole : whole.slice(open.sent))
    },
    end(item: OpenItem): void {
      for (const open of item.blocks.values()) {
        // The arguments never came: this makes it half a call.
        if (open.isSealed && open.sent === 0) say(open, '{')
        emit({ type: 'end', block: open.block })
      }
      item.blocks.clear()
    },
  }
}

export type ItemBlocks = ReturnType<typeof itemBlocks>
