import type { FinishKind } from '../../../../shared/events.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { Frame } from '../answer/frame.ts'
import type { JsonObject } from '../values.ts'
import { textTail, type TextTail } from './text-tail.ts'

/** What has been seen of a response so far. A protocol's reader fills it in. */
export interface Seen {
  /** how it ended, once that is known */
  finish: FinishKind | null
  /** its own terminal event went by */
  complete: boolean
  usage: Usage | null
  responseId: string | null
  model: string | null
  toolNames: Set<string>
  tail: TextTail
  error: { code: string; message: string } | null
}

/** One protocol's way to read answers. */
export interface AnswerReader {
  readonly seen: Seen
  /** the answer is whole or has failed: counts and the protocol's last word may follow */
  ended(): boolean
  /** its last word went by: nothing follows but the end of the body */
  over(): boolean
  /** an event of a stream, or an element of a list that grows; it says something */
  frame(frame: Frame): void
  /** the protocol streams in lists too */
  readonly readsLists?: boolean
  /** a whole JSON answer */
  body(value: JsonObject): void
}

export const nothingSeen = (): Seen => ({
  finish: null,
  complete: false,
  usage: null,
  responseId: null,
  model: null,
  toolNames: new Set(),
  tail: textTail(),
  error: null,
})

/** Each tool is named once. */
export function addTool(seen: Seen, name: string): void {
  seen.toolNames.add(name)
}
