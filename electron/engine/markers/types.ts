import type { MarkerHeldWhy } from '../../../shared/events.ts'
import type { Language } from '../../../shared/words.ts'

/** A marker as the scanner found it; offsets are UTF-16, `end` is after the closing `**>`. */
export interface MarkerSpan {
  start: number
  end: number
  /** what stands between `<**` and `**>` */
  body: string
  /** `pasted`: inside a client's paste wrapper; `quoted`: in a blockquote or an HTML comment */
  where: 'typed' | 'pasted' | 'quoted'
  /** it begins on the first, on the last line of what it stands in: the paste, else the text */
  first: boolean
  last: boolean
}

/** Target of a routing marker. Keys are named by alias, or by their place in the key list, from 1. */
export type RoutingTarget =
  | { kind: 'provider'; provider: string }
  | { kind: 'model'; provider: string; model: string }
  | { kind: 'key'; provider: string; key: string | number }

/** Text of a stopMessage. `default` is already in the language asked for; a file is read later (goal-file.ts). */
export type StopMessageText =
  | { kind: 'text'; text: string }
  | { kind: 'default'; text: string }
  | { kind: 'file'; path: string }

export const invalidMarkerCodes = [
  'empty',
  'no-value',
  'unknown-option',
  'bad-text',
  'bad-rounds',
  'bad-option',
  'bad-path',
  'bad-clock',
  'bad-target',
  'unknown-provider',
  'unknown-model',
  'unknown-key',
] as const
export type InvalidMarkerCode = (typeof invalidMarkerCodes)[number]

export type Command =
  /** `max: null` is unbounded */
  | { kind: 'stop-message-set'; text: StopMessageText; max: number | null; review: boolean }
  | { kind: 'stop-message-clear' }
  | { kind: 'clock-clear' }
  | { kind: 'clock-set'; time: string; dueAtMs: number; message: string }
  | { kind: 'routing-allow'; providers: readonly string[] }
  | { kind: 'routing-prefer'; provider: string; model: string }
  /** this turn only */
  | { kind: 'routing-force'; provider: string; model: string }
  | { kind: 'routing-disable'; target: RoutingTarget }
  | { kind: 'routing-enable'; target: RoutingTarget }
  | { kind: 'clear' }
  | { kind: 'invalid'; code: InvalidMarkerCode; message: string }

export type InvalidCommand = Extract<Command, { kind: 'invalid' }>

/** One marker's meaning, with the marker as it was written (for the timeline). */
export type Instruction = Command & { marker: string }

export type RoutingInstruction = Extract<Instruction, { kind: `routing-${string}` | 'clear' }>

export interface ParsedMarkers {
  /** markers that act, from left to right, invalid ones included */
  instructions: readonly Instruction[]
  /** the others, from left to right; they are cut out all the same, and offered to the person */
  held: readonly HeldMarker[]
  /** there are more than those that count */
  beyond: boolean
}

/** A marker that the person may not have meant, unread. */
export interface HeldMarker {
  /** as written */
  marker: string
  why: MarkerHeldWhy
}

/** Names in the configuration; a target that is not among them is refused, never stored. */
export interface KnownTargets {
  isProvider(provider: string): boolean
  isModel(provider: string, model: string): boolean
  /** by alias, or by place in the key list counted from 1 */
  isKey(provider: string, key: string | number): boolean
}

/** config `markers.codeSpans`: `keep`: what stands in code is no marker; `strip`: it is one as any other */
export type InCode = 'keep' | 'strip'

export interface ParseOptions {
  language: Language
  targets: KnownTargets
  /** which ends of the message this text is; left out: all of it */
  part?: MessagePart
  /** config `markers.anywhere`: markers act wherever they are, except in quotes, comments and code */
  anywhere?: boolean
  code?: InCode
  /** a reason to hold back this marker, wherever it is */
  heldFor?(marker: string): MarkerHeldWhy | null
  /** left out: as many as a message may have */
  most?: number
}

/** Position of a text in its message: whether it is the first, and whether it is the last. */
export interface MessagePart {
  first: boolean
  last: boolean
}
