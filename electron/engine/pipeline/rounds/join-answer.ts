import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Mutable } from '../../base/mutable.ts'
import { Frame } from '../../protocol/answer/frame.ts'
import { framesIn } from '../../protocol/answer/sse-frames.ts'
import { joinRounds, type RoundJoiner } from '../../protocol/join/join-rounds.ts'
import { withoutFactsOfBytes } from '../../providers/transport.ts'
import type { AnswerHead, AnswerStep } from '../answer/framed.ts'
import type { Reply } from '../turn.ts'

/**
 * `none`: its head has not come. `through`: not cut into frames, the client gets it as it comes. `mute`: nothing of the
 * round is for the client.
 */
type Form = 'none' | 'stream' | 'json' | 'through' | 'mute'

export interface JoinOptions {
  /** terminal events wait, whatever the answer holds: another round may follow it */
  holdsEnd: boolean
  /** ... for an answer without content */
  holdsEmpty: boolean
  /** the first bytes of the round under way came */
  onFirstByte?(): void
}

/** An answer that may be made of several rounds. */
export interface JoinedAnswer {
  /** the step of the round under way; `next` gets the whole answer */
  round(next: AnswerStep): AnswerStep
  /** from here on frames are not what the provider sent; `before`: what the client has of the round */
  changes(before: Buffer): void
  /** the round is no empty answer, and all of it is the client's so far */
  says(): void
  /** true if the round came in a form that fits what the client has of the answer */
  fits(): boolean
  /** true if the answer's end has not gone to the client yet, so that another round may follow */
  open(): boolean
  /** the client has the answer's beginning, so only its own events can report a failure */
  readonly streaming: boolean
  /** the round is whole and another follows; `may-break`: the answer would do without it */
  next(how: 'may-break' | 'must-come'): void
  /** the round, not the first, broke off */
  drop(): void
  /** a round that had to come failed; `error` is the event for a stream */
  fail(error: Buffer): void
  /** a line of Onward's own, where the rounds had no words */
  say(text: string): void
  /** between two rounds: shows the client that more is coming */
  keepAlive(): void
  /** ends the client's response */
  finish(): void
  readonly bytesOut: number
}

/**
 * Makes one response of several rounds, one after the other. Frames go by untouched for as long as nothing has to be
 * held back or joined (nearly always); from then on a joiner makes one answer of them.
 */
export function joinAnswer(client: Pick<Reply, 'left'>, entry: EntryProtocol, options: JoinOptions): JoinedAnswer {
  let out: AnswerStep | null = null
  let joiner: RoundJoiner | null = null
  let first = true
  let form: Form = 'none'
  let firstForm: Form = 'none'
  let head: AnswerHead | null = null
  let over = false
  let failed = false
  /** nothing of the round under way has come */
  let awaited = true

  function give(frame: Frame): void {
    joined.bytesOut += frame.to - frame.from
    out?.frame(frame)
  }
  function giveBytes(bytes: Buffer): void {
    if (bytes.length > 0) give(new Frame(bytes, 0, bytes.length))
  }
  /** passes on what the joiner has for the client by now */
  function giveJoined(): boolean {
    if (joiner) giveBytes(joiner.take())
    return out?.flush() ?? true
  }

  const step: AnswerStep = {
    head({ status, headers, form: came }) {
      const found = came === 'events' ? 'stream' : came === 'body' ? 'json' : 'through'
      form = !first && (status >= 400 || found !== firstForm) ? 'mute' : found
      if (!first) return
      firstForm = found
      joined.streaming = found === 'stream'
      // Headers about a round's own bytes are dropped, as the answer may have other bytes.
      head = { status, headers: withoutFactsOfBytes(headers), form: came }
      if (found === 'json' || (found === 'stream' && (options.holdsEnd || options.holdsEmpty)))
        joiner = joinRounds(entry, { stream: found === 'stream' })
      if (found !== 'json') out?.head(head)
    },
    frame(frame) {
      if (form === 'mute') return
      if (awaited) {
        awaited = false
        options.onFirstByte?.()
      }
      if (joiner && form !== 'through') joiner.frame(frame)
      else give(frame)
    },
    flush: () => (form === 'stream' || form === 'through' ? giveJoined() : true),
    end(rest) {
      if (form === 'mute') return
      if (joiner && form !== 'through') joiner.end(rest)
      else giveBytes(rest)
      if (form === 'stream') giveJoined()
      if (form !== 'through') return
      over = true
      out?.end(nothing)
    },
    error(error, rest) {
      if (!first) {
        form = 'mute'
        return
      }
      joined.bytesOut += rest.length
      over = true
      out?.error(error, rest)
    },
  }

  const joined: Mutable<JoinedAnswer> = {
    streaming: false,
    bytesOut: 0,
    round(next) {
      out = next
      return step
    },
    changes(before) {
      joiner ??= joinerAfter(before, entry)
    },
    says() {
      if (!first || !joiner || options.holdsEnd || form !== 'stream') return
      joiner.finish()
      giveBytes(joiner.take())
      joiner = null
    },
    fits: () => form === firstForm,
    open: () => joiner !== null && form !== 'through',
    next(how) {
      joiner?.endRound(how)
      first = false
      awaited = true
      form = 'none'
    },
    drop: () => joiner?.dropRound(),
    fail(error) {
      failed = true
      if (firstForm !== 'stream' || !joiner) return
      joiner.failRound(error)
      giveJoined()
    },
    say(text) {
      if (!joiner) return
      joiner.say(text)
      if (firstForm === 'stream') giveJoined()
    },
    keepAlive() {
      if (firstForm !== 'stream' || !joiner || client.left) return
      joiner.keepAlive()
      giveJoined()
    },
    finish() {
      if (over || !head || (failed && firstForm === 'json')) return
      joiner?.finish()
      if (firstForm === 'json') out?.head(head)
      if (joiner) giveBytes(joiner.take())
      out?.end(nothing)
    },
  }
  return joined
}

/** Reads what went by untouched only now: it has to know what the client has. */
function joinerAfter(before: Buffer, entry: EntryProtocol): RoundJoiner {
  const joiner = joinRounds(entry, { stream: true })
  for (const frame of framesIn(before)) joiner.frame(frame)
  joiner.take()
  return joiner
}

const nothing = Buffer.alloc(0)
