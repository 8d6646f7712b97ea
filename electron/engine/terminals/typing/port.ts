import type { Clock } from '../../base/clock.ts'
import type { Composer } from '../agents/types.ts'
import type { TerminalReading, TypeControl } from '../types.ts'

/** One fresh reading of a terminal: the facts for the outbox, and those that only typing needs. */
export interface Assessment {
  reading: TerminalReading
  composer: Composer
  /** the rows of the conversation above the composer, where it is free or holds a draft */
  above?: readonly string[] | undefined
  /** goes up with every OSC 7501 report; 0 where none can be seen */
  statusSerial: number
  /** identifies this moment of the line; only the port reads it */
  moment: string
}

/** `moved`: nothing went out, because the line is not as `seen` has it: a person types. */
export type Written = 'written' | 'moved'

/**
 * The few things typing does to a terminal. Keys go out only while the line is as `seen` has it. After a rejection it
 * is unknown whether they went out.
 */
export interface TypingPort {
  assess(): Promise<Assessment>
  /** Text only, no Enter. `bracketed`: as one bracketed paste. */
  writeText(text: string, options: { bracketed: boolean; seen: Assessment }): Promise<Written>
  pressEnter(seen: Assessment): Promise<Written>
  /** One blank, as a key: it shows how far the agent has read the typed text. */
  pressSpace(seen: Assessment): Promise<Written>
  /** Ctrl U and Backspace: removes the text before the cursor on its line, and the break before it. */
  eraseLine(seen: Assessment): Promise<Written>
  /** false: no report of a request would come (the engine is gone), so no second Enter */
  hearsRequests?(): boolean
}

export interface TypingSettings {
  /** ms between text and Enter: up to 2 KB, and above */
  gapMs: { short: number; long: number }
  /** ms for which the composer has shown the text before Enter, which an agent may take for the end of the paste */
  stoodMs: number
  /** how long the text may take to show up in the composer, and how long it may stay there after Enter */
  patienceMs: number
  /** how long an agent that has not shown a text is waited for before others get their turn */
  lateMs: number
  /** between two readings */
  pollMs: number
  /** the same right after a key, when nearly everything happens */
  soonMs: number
}

/** for so long after it */
const soonForMs = 500

/** @param sinceMs how long ago the key, or the text, went out */
export const lookAgainAfter = ({ pollMs, soonMs }: TypingSettings, sinceMs: number): number =>
  sinceMs < soonForMs ? soonMs : pollMs

export const defaultTypingSettings: TypingSettings = {
  gapMs: { short: 300, long: 500 },
  stoodMs: 0,
  patienceMs: 3_000,
  lateMs: 10_000,
  pollMs: 100,
  soonMs: 20,
}

/** One attempt to type. Everything from outside is passed in, so that tests use a clock of their own. */
export interface Typing {
  port: TypingPort
  clock: Clock
  settings: TypingSettings
  control: TypeControl
}
