import type { AskedView } from '../../../shared/state.ts'
import type { ClientKind } from '../../../shared/words.ts'
import type { FailReason, HoldReason } from '../../../shared/events.ts'
import type { Disposable } from '../base/disposable.ts'

/** How much of a text a composer can show: its rows and columns, and the cells of the whole screen. */
export interface ComposerRoom {
  rows: number
  cols: number
  screen: number
}

/**
 * What one reading of a terminal found. Anything not positively known is a reason to hold, never a reason to type.
 * `fresh`: it shows a conversation in which nothing was said yet. `background`: the words by which it shows work in the
 * background; null: it shows that there is none; absent: nobody can tell.
 */
export type TerminalReading =
  /** the agent is in front, positively idle, its composer empty: typing is allowed */
  | { kind: 'ready'; bracketedPaste: boolean; fresh?: boolean; background?: string | null }
  /** the agent is idle and the composer holds exactly this text (white space folded, or its paste placeholder) */
  | { kind: 'composer-holds'; text: string | null; room?: ComposerRoom; fresh?: boolean; background?: string | null }
  /** `asked`: what the open dialog asks */
  | { kind: 'hold'; reason: HoldReason; asked?: AskedView; background?: string | null }
  /** never to be typed into again */
  | { kind: 'gone'; reason: FailReason }

export interface TypeOrder {
  entryId: string
  /** already made safe (typing/safe-text.ts) */
  text: string
  client: ClientKind
  /** of a conversation that has begun, so nothing for a fresh one: the person began anew after the stop it answers */
  ongoing?: boolean
  /** it was typed before and left the composer again without Enter, so that typing it once more is no second time */
  again?: boolean
}

/** The same reading for an order of a conversation that has begun. */
export const forOngoing = (reading: TerminalReading): TerminalReading =>
  (reading.kind === 'ready' || reading.kind === 'composer-holds') && reading.fresh
    ? { kind: 'hold', reason: { code: 'other-conversation' } }
    : reading

/** Signals while an entry is typed. */
export interface TypeControl {
  /** the turn that carries the text arrived: proof of submission, and no further Enter ever */
  requestArrived: AbortSignal
  /** pause, clear or cancel in the middle of typing, or another answer that runs: no Enter */
  stop: AbortSignal
}

export type TypeResult =
  | { kind: 'submitted'; extraEnter: boolean }
  /** nothing was typed, or the text was taken back: the entry may be tried again */
  | { kind: 'held'; reason: HoldReason }
  /** text stands in the composer, Enter is owed; it is not typed again while it may stand there */
  | { kind: 'enter-owed'; reason: HoldReason }
  /** the text is not in the composer, no Enter was pressed, and no turn has carried it so far */
  | { kind: 'removed' }
  | { kind: 'failed'; reason: FailReason }
  /** the link to the terminal broke in the middle: nobody knows */
  | { kind: 'unknown' }

/** One live terminal as the outbox sees it. tmux panes, hosted PTYs and wrapped PTYs all look like this. */
export interface TypingTarget {
  readonly terminalId: string
  read(): Promise<TerminalReading>
  /**
   * Types once. Reads the screen again before the text and between text and Enter. A repeated entryId is refused as
   * `unknown`.
   */
  type(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /** Only Enter, for an entry whose text stands in the composer. */
  pressOwedEnter(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /**
   * Takes a text of ours out of the composer again, as long as nothing else stands there. `removed`: this took it out.
   * `enter-owed`: it still stands there, or nobody can tell. `unknown`: it was not there any more.
   */
  takeOut(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /** something on the screen or in the process changed: worth another reading */
  onChange(listener: () => void): Disposable
}

/** Finds the live target of a terminal; null while it is offline (wrapper not connected) or unknown. */
export type FindTarget = (terminalId: string) => TypingTarget | null
