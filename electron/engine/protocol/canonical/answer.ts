/**
 * An answer in no protocol's words, as the events of which it is made. A whole JSON answer is the same events at once.
 * Order: `start`, then blocks, then one `finish` or `error`, and nothing after it. Each block has one `begin`, any
 * number of `delta`s and `seal`s, and one `end`; several tool calls may be open at once (Chat interleaves them).
 */
import type { Seal } from './request.ts'

/** A search of the web that the vendor ran on the way to its answer. */
export interface SearchBlock {
  kind: 'search'
  queries: readonly string[]
  found: readonly { url: string; title: string | null; age: string | null }[]
  /** the vendor's word for why it found nothing */
  failed: string | null
}

export type BlockKind =
  /** `phase`: what the words are for, as newer models of OpenAI say it (`commentary`, `final_answer`) */
  | { kind: 'text'; phase?: string }
  | { kind: 'thinking' }
  /** whole as it begins: no deltas */
  | SearchBlock
  | { kind: 'refusal' }
  /** deltas are pieces of the arguments' JSON; of a custom call pieces of its text */
  | { kind: 'tool-call'; id: string; name: string; namespace?: string; custom: boolean }

/** The source of a statement in the answer. null: the provider does not say. */
export interface Citation {
  url: string | null
  title: string | null
  /** the source's own words */
  quote: string | null
  /** the part of its block's text that rests on it, in UTF-16 units; `end` is after the last one */
  start: number | null
  end: number | null
}

/** Tokens. `input` counts all of them, those read from or written to a cache included. */
export interface AnswerUsage {
  input: number
  cachedInput: number
  cacheWrite: number
  /** of `cacheWrite`, what is kept for an hour and costs more; absent: none, or unknown */
  cacheWriteHour?: number
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
  /** not by the model's own will, and not broken: it may lack something, and the client can go on from it */
  | 'incomplete'

export type AnswerEvent =
  /**
   * `usage`: what is known at the start (Messages says the input's). The provider's id is not carried: some vendors
   * give many answers the same one (Ollama 1 of 999), and Claude Code takes two answers of one id for one message.
   */
  | { type: 'start'; model: string | null; usage: AnswerUsage | null }
  /** `block`: any number, unique within the answer */
  | { type: 'begin'; block: number; part: BlockKind }
  | { type: 'delta'; block: number; text: string }
  | { type: 'seal'; block: number; seal: Seal }
  /** of a text block that has begun; it may be over already, since some providers name their sources last */
  | { type: 'citation'; block: number; citation: Citation }
  | { type: 'end'; block: number }
  | { type: 'finish'; reason: AnswerFinish; stopSequence: string | null; usage: AnswerUsage | null }
  | { type: 'error'; code: string; message: string }

export type Emit = (event: AnswerEvent) => void
