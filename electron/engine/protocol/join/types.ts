import type { Frame } from '../answer/frame.ts'

/**
 * Makes one answer of several rounds: tell it the frames of a round and its end, then that another one follows
 * (`endRound`), that it broke and nothing of it may stay open (`dropRound`), or that this was all (`finish`).
 */
export interface RoundJoiner {
  /** an event, or a whole JSON body */
  frame(frame: Frame): void
  /** the round's bytes are over; `rest`: what stands behind its last frame */
  end(rest: Buffer): void
  /** takes what may go to the client now */
  take(): Buffer
  /**
   * The round is whole and another follows; what it still owes comes out with the next bytes. `must-come`: without the
   * next one there is no answer, so it goes out as it comes; `may-break`: the answer would end as this round did, so of
   * the next one nothing is shown that could not be left standing.
   */
  endRound(next?: 'may-break' | 'must-come'): void
  /** a later round broke off: the answer ends as the round before it did */
  dropRound(): void
  /** A later round that had to come failed: `error` ends the answer, an event of the protocol. */
  failRound(error: Buffer): void
  /** A line of Onward's own behind what the rounds said; the last round is whole, and `finish` follows. */
  say(text: string): void
  /**
   * what keeps a waiting client's stream alive, in a form its protocol's clients accept; empty where they accept none
   */
  keepAlive(): void
  /** the rest of the answer, its terminal events last */
  finish(): void
}

/** Where an event of a later round belongs. */
export type Place =
  /** the client has had it already, or must not see it */
  | 'drop'
  /** as it is, at once: keep-alives */
  | 'now'
  /** text a person reads: goes out, with all that waits for a text */
  | 'text'
  /** begins something that is only good with a text behind it: thinking alone can't end a message */
  | 'before-text'
  /** begins a tool call, which can't be taken back if the round breaks off: waits for its end, like all that follows */
  | 'tool'
  /** belongs to what came before it */
  | 'follow'

/** What a protocol knows of joining streams. Told every event of every round in order. */
export interface StreamRounds {
  /** the terminal part of a round begins with this event */
  endsRound(event: Frame): boolean
  /** an event of the first round, which the client gets as it came */
  note(event: Frame): void
  place(event: Frame): Place
  /** an event of a later round as the client gets it */
  write(event: Frame): Buffer
  /**
   * the round is whole; these are its terminal events, which follow at once (`ending`) if it is the last. @returns what
   * of them the client still has to see
   */
  whole(ending: readonly Frame[], isLast: boolean): Buffer
  /** ends what a broken round left open */
  close(): Buffer
  /** a whole text of its own behind everything shown so far; the terminal events that follow know of it */
  say(text: string): Buffer
  /** between two rounds */
  keepAlive(): Buffer
  /**
   * Of terminal events that have to wait: the words in them, which need not, and the events without. Absent: no words
   * stand there.
   */
  words?(ending: readonly Frame[]): { shown: Buffer; ending: Frame[] }
  /** Onward's error event as it ends this answer, where that changes anything of it */
  fail?(error: Buffer): Buffer
  /** the terminal events of an answer of several rounds, made from those of its last whole round */
  ending(events: readonly Frame[]): Buffer
}
