/**
 * An answer in no protocol's words, as the events of which it is made. A whole JSON answer is the same events at once.
 * Order: `start`, then blocks, then one `finish` or `error`, and nothing after it. Each block has one `begin`, any
 * number of `delta`s and `seal`s, and one `end`; several tool calls may be open at once (Chat interleaves them).
 */
import type { Seal } from './request.ts'

export type BlockKind =
  | { kind: 'text' }
  | { kind: 'thinking' }
  | { kind: 'refusal' }
  /** deltas are pieces of the arguments' JSON; of a custom call pieces of its text */
  | { kind: 'tool-call'; id: string; name: string; namespace?: string; custom: boolean }

/** Tokens. `input` counts all of them, those read from or written to a cache included. */
export interface AnswerUsage {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
  reasoning: number
}

export type AnswerFinish =
  | 'stop'
  | 'stop-sequence'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'pause-turn'

export type AnswerEvent =
  /** `usage`: what is known at the start (Messages says the input's) */
  | { type: 'start'; id: string | null; model: string | null; usage: AnswerUsage | null }
  /** `block`: any number, unique within the answer, rising */
  | { type: 'begin'; block: number; part: BlockKind }
  | { type: 'delta'; block: number; text: string }
  | { type: 'seal'; block: number; seal: Seal }
  | { type: 'end'; block: number }
  | { type: 'finish'; reason: AnswerFinish; stopSequence: string | null; usage: AnswerUsage | null }
  | { type: 'error'; code: string; message: string }

export type Emit = (event: AnswerEvent) => void
