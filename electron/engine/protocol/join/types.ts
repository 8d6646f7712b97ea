import { Frame } from '../answer/frame.ts'
import type { JsonObject } from '../values.ts'

/**
 * Makes one answer of several rounds. Takes the frames of a round and its end, then one of: another round follows
 * (`endRound`), the round broke and nothing of it may stay open (`dropRound`), or this was all (`finish`).
 */
export interface RoundJoiner {
  /** takes an event, or a whole JSON body */
  frame(frame: Frame): void
  /** the round's bytes are over; `rest`: the bytes after its last frame */
  end(rest: Buffer): void
  /** takes the bytes that may go to the client now */
  take(): Buffer
  /**
   * The round is whole and another follows; what it still has to send comes out with the next bytes. `must-come`:
   * without the next round there is no answer, so that round is sent as it comes; `may-break`: the answer would end as
   * this round did, so nothing of the next round is shown that could not be left standing.
   */
  endRound(next?: 'may-break' | 'must-come'): void
  /** a later round broke off: the answer ends as the round before it did */
  dropRound(): void
  /** A later round that had to come failed: `error` ends the answer, an event of the protocol. */
  failRound(error: Buffer): void
  /** Adds a line of Onward's own after the text of the rounds; the last round is whole, and `finish` follows. */
  say(text: string): void
  /**
   * keeps a waiting client's stream alive, in a form its protocol's clients accept; does nothing if they accept none
   */
  keepAlive(): void
  /** ends the answer: the rest of it, its terminal events last */
  finish(): void
}

/** The way an event of a later round is handled. */
export type Place =
  /** the client has had it already, or must not see it */
  | 'drop'
  /** as it is, at once: keep-alives */
  | 'now'
  /** text a person reads: sent at once, with all that waits for a text */
  | 'text'
  /** begins something that is only valid with a text after it: thinking alone can't end a message */
  | 'before-text'
  /**
   * begins a tool call, which can't be taken back if the round breaks off: waits for the round's end, like all that
   * follows
   */
  | 'tool'
  /** belongs to what came before it */
  | 'follow'

/** A protocol's part in joining streams. Sees every event of every round in order. */
export interface StreamRounds {
  /** the terminal part of a round begins with this event */
  endsRound(event: Frame): boolean
  /** an event of the first round, which the client gets as it came */
  note(event: Frame): void
  place(value: JsonObject, event: Frame): Place
  /** an event of a later round as the client gets it */
  write(value: JsonObject, event: Frame): Buffer
  /**
   * the round is whole; these are its terminal events, which follow at once (`ending`) if it is the last.
   * @returns those of them that the client still has to see
   */
  whole(ending: readonly Frame[], isLast: boolean): Buffer
  /** ends what a broken round left open; absent: nothing stays open */
  close?(): Buffer
  /** writes a whole text of its own after everything shown so far; the terminal events that follow include it */
  say(text: string): Buffer
  /** writes a sign of life between two rounds; absent: its clients take none */
  keepAlive?(): Buffer
  /**
   * Splits terminal events that have to wait: the text in them, which need not wait, and the events without it. Absent:
   * terminal events hold no text.
   */
  words?(ending: readonly Frame[]): { shown: Buffer; ending: Frame[] }
  /** Onward's error event as it ends this answer, if it has to differ from `error` */
  fail?(error: Buffer): Buffer
  /** makes the terminal events of an answer of several rounds from those of its last whole round */
  ending(events: readonly Frame[]): Buffer
}

/**
 * Writes the event with other data, under its old name. JSON has line breaks only between tokens, where a space means
 * the same.
 */
export function eventBytes(event: Pick<Frame, 'name'>, data: Buffer): Buffer {
  const oneLine = data.includes(0x0a) ? Buffer.from(data.toString('latin1').replaceAll('\n', ' '), 'latin1') : data
  const head = event.name === '' ? 'data: ' : `event: ${event.name}\ndata: `
  return Buffer.concat([Buffer.from(head), oneLine, Buffer.from('\n\n')])
}

/** The same as a frame. */
export const eventFrame = (event: Pick<Frame, 'name'>, data: Buffer): Frame =>
  Frame.of(eventBytes(event, data), data, event.name)

/** True for comments, which keep a connection alive. */
export const isKeepAlive = (event: Frame): boolean =>
  !event.says && /^[\r\n]*:/.test(event.raw.toString('latin1', 0, 16))

/** True for stray line ends. */
export const isBlank = (event: Frame): boolean => !event.says && !/[^\r\n]/.test(event.raw.toString('latin1', 0, 16))
