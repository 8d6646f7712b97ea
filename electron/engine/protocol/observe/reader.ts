import type { FinishKind } from '../../../../shared/events.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import { failedEnd, kindOfEnds, type Said } from '../finish-names.ts'
import type { Frame } from '../answer/frame.ts'
import type { JsonObject } from '../values.ts'
import { textTail, type TextTail } from './text-tail.ts'

/** The facts about a response so far. A protocol's reader fills them in. */
export interface Seen {
  /** how it ended, once that is known */
  finish: FinishKind | null
  /** its terminal event was seen */
  complete: boolean
  usage: Usage | null
  responseId: string | null
  model: string | null
  toolNames: Set<string>
  tail: TextTail
  error: { code: string; message: string } | null
}

/** Reads the answers of one protocol. */
export interface AnswerReader {
  readonly seen: Seen
  /** the answer is whole or has failed: counts and the protocol's final event may follow */
  ended(): boolean
  /** the final event was seen: only the end of the body follows */
  over(): boolean
  /** takes an event of a stream, or an element of a list that grows, that has data */
  frame(frame: Frame): void
  /** the protocol also streams in lists */
  readonly readsLists?: boolean
  /** takes a whole JSON answer */
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

/** Notes how the answer ended, by the words of its choices. */
export function noteEnd(seen: Seen, reasons: readonly (string | null)[], said: Said): void {
  seen.finish = kindOfEnds(reasons, said)
  if (seen.finish === 'error') seen.error ??= failedEnd(reasons.find((reason) => reason !== null) ?? '')
}

export function addTool(seen: Seen, name: string): void {
  seen.toolNames.add(name)
}
