import type { AskedView } from '../../../shared/state.ts'
import type { ClientKind } from '../../../shared/words.ts'
import type { FailReason, HoldReason } from '../../../shared/events.ts'
import type { Disposable } from '../base/disposable.ts'
import { recogniseConversation, type KnownConversation, type Recognised } from './said.ts'

/** How much of a text a composer can show: its rows and columns, and the cells of the whole screen. */
export interface ComposerRoom {
  rows: number
  cols: number
  screen: number
}

interface AtRest {
  fresh?: boolean
  stopped?: boolean
  background?: string | null
  above?: readonly string[]
  conversation?: string
  answered?: boolean
}

/** The agent is in front and positively idle. */
export type FreeReading =
  /** its composer is empty: typing is allowed */
  | ({ kind: 'ready'; bracketedPaste: boolean } & AtRest)
  /** its composer holds exactly this text (white space folded, or its paste placeholder) */
  | ({ kind: 'composer-holds'; text: string | null; room?: ComposerRoom } & AtRest)

/**
 * The result of one reading of a terminal. Any doubt is a reason to hold, never a reason to type. `fresh`: it shows a
 * conversation in which nothing was said yet. `stopped`: it says that its person broke the last turn off. `background`:
 * the words by which it shows work in the background; null: it shows that there is none; absent: unknown. `above`: the
 * rows of the conversation above the composer; absent where they are not known (a program of no known screen, a host of
 * an earlier version). A host that knows more than a screen shows says the name of the `conversation` in front, and
 * with `answered` that the agent has answered a message.
 */
export type TerminalReading =
  | FreeReading
  /**
   * `asked`: the open dialog's question. `screenAlone`: only the agent's title or its own report (OSC 7501) says so,
   * and without them the reading would be this one
   */
  | { kind: 'hold'; reason: HoldReason; asked?: AskedView; background?: string | null; screenAlone?: FreeReading }
  /** never to be typed into again */
  | { kind: 'gone'; reason: FailReason }

/** `anyway`: a person wants it sent even if no sign shows which conversation is on the screen */
export interface OrderedConversation {
  wanted: KnownConversation
  others: readonly KnownConversation[]
  anyway?: boolean
}

export interface TypeOrder {
  entryId: string
  /** already made safe (safe-text.ts) */
  text: string
  client: ClientKind
  /** of a conversation that has begun, so nothing for a fresh one: the person began anew after the stop it answers */
  ongoing?: boolean
  /** the conversation it is for, and the others its terminal may show */
  conversation?: OrderedConversation
  /** the agent's title and its own report are left over from before: the screen alone decides */
  screenAlone?: boolean
  /** it was typed before and left the composer again without Enter, so that typing it once more is no second time */
  again?: boolean
  /** it went out and no reading has shown it so far: it may still come */
  unseen?: boolean
}

/** The same reading where the agent's title and its own report are left over from before. */
export const byScreen = (reading: TerminalReading): TerminalReading =>
  (reading.kind === 'hold' && reading.screenAlone) || reading

/** Returns whether a reading shows the wanted conversation: by its name, else by its words. */
export function conversationShown(
  { conversation, above = [] }: FreeReading,
  { wanted, others }: Pick<OrderedConversation, 'wanted' | 'others'>,
): Recognised {
  const isNamed = [wanted, ...others].some(({ sessionId }) => sessionId === conversation)
  if (isNamed) return wanted.sessionId === conversation ? 'shown' : 'other'
  return recogniseConversation(above, wanted, others)
}

/** Fewer rows than this above a text of ours say nothing: it fills the screen. */
const ROWS_LEFT = 6

/** The same reading for an order: a hold where the screen does not show the conversation that it is for. */
export function forConversation(
  reading: TerminalReading,
  { ongoing, conversation }: { ongoing?: boolean | undefined; conversation?: OrderedConversation | undefined },
): TerminalReading {
  if (!ongoing || (reading.kind !== 'ready' && reading.kind !== 'composer-holds')) return reading
  if (reading.fresh) return { kind: 'hold', reason: { code: 'other-conversation' } }
  if (!conversation || !reading.above) return reading
  switch (conversationShown(reading, conversation)) {
    case 'shown':
      return reading
    case 'other':
      return { kind: 'hold', reason: { code: 'other-conversation' } }
    case 'unseen':
      return conversation.anyway || (reading.kind === 'composer-holds' && reading.above.length < ROWS_LEFT)
        ? reading
        : { kind: 'hold', reason: { code: 'other-conversation', unseen: true } }
  }
}

/** Signals while an entry is typed. */
export interface TypeControl {
  /** the turn that carries the text arrived: proof of submission, and no further Enter ever */
  requestArrived: AbortSignal
  /** pause, clear or cancel in the middle of typing, or another answer that runs: no Enter */
  stop: AbortSignal
}

export type TypeResult =
  /** `unseen`: a turn carried it, and no reading had shown it */
  | { kind: 'submitted'; extraEnter: boolean; unseen?: boolean }
  /** nothing was typed, or the text was taken back: the entry may be tried again */
  | { kind: 'held'; reason: HoldReason }
  /**
   * The text stands in the composer or may, and Enter is owed; it is not typed again while it may stand there. `shown`:
   * a reading has shown it. `entered`: Enter went out, or may have. `broken`: only a piece of it stands there, which is
   * to be taken out.
   */
  | { kind: 'enter-owed'; reason: HoldReason; shown?: boolean; entered?: boolean; broken?: boolean }
  /** the text is proved not to be in the composer, no Enter was pressed, and no turn has carried it so far */
  | { kind: 'removed' }
  | { kind: 'failed'; reason: FailReason }
  /** Enter went out, and no composer is in sight that would show the outcome */
  | { kind: 'unknown' }

/** The terminal's answer was lost after text had begun to go out: its screen will show the outcome. */
export const answerLost = (reason: HoldReason): TypeResult => ({ kind: 'enter-owed', reason, entered: true })

/** One live terminal as the outbox sees it. tmux panes, hosted PTYs and wrapped PTYs all look like this. */
export interface TypingTarget {
  readonly terminalId: string
  read(): Promise<TerminalReading>
  /** Types once. Reads the screen again before the text and between text and Enter. A repeated entryId is refused. */
  type(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /** Only Enter, for an entry whose text stands in the composer. */
  pressOwedEnter(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /**
   * Takes a text of ours out of the composer again, as long as nothing else stands there. `removed`: this took it out.
   * `enter-owed`: it still stands there, or that is unknown. `unknown`: it was not there any more.
   */
  takeOut(order: TypeOrder, control: TypeControl): Promise<TypeResult>
  /** something on the screen or in the process changed: worth another reading */
  onChange(listener: () => void): Disposable
}

/** Finds the live target of a terminal; null while it is offline (wrapper not connected) or unknown. */
export type FindTarget = (terminalId: string) => TypingTarget | null
