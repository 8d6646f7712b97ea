import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { fairShare } from '../../base/work.ts'
import { type Frame, mostFrameValues } from '../../protocol/answer/frame.ts'
import type { Beginning } from '../../protocol/beginning.ts'
import { holdsMoreValues } from '../../protocol/json-bytes/count-values.ts'
import { parseObject, parseObjects } from '../../protocol/values.ts'
import type { SilenceLimits } from '../../providers/time-limits.ts'
import type { ReadingStep } from './framed.ts'

/** More than what comes before the first word, including a request that is repeated in it. */
const MOST_BYTES = 1024 * 1024
/**
 * After this the client gets what came, pings among it: some give up where nothing comes, though none within a minute.
 * Where the provider is silent, and another may be asked for it, what came is not worth an answer yet.
 */
const LONGEST_MS = 30_000

export interface HoldInput {
  /** what a frame at the beginning of an answer means in the provider's protocol */
  beginning(frame: Frame): Beginning
  clock: Pick<Clock, 'after'>
  /** The model produced its first content. */
  onSaid(): void
}

export interface HoldEnds {
  /** the client gets this answer */
  begin(): void
  /** the provider failed before the model produced anything. @returns true if another candidate is to answer */
  onFailed(status: number, body: Buffer): boolean
  onNothing(error: OnwardError): void
  /** another provider is asked soon if no byte comes */
  mayWait(): boolean
}

export interface HeldBeginning extends ReadingStep {
  /** No other provider can be asked: the client gets what was held for long. */
  passOn(): void
}

/**
 * Holds comments, pings and everything else before the model's first content, so that another candidate can answer when
 * this one fails or breaks off there.
 */
export function holdBeginning(
  { beginning, clock, onSaid }: HoldInput,
  { begin, onFailed, onNothing, mayWait }: HoldEnds,
  next: ReadingStep,
): HeldBeginning {
  let state: 'holding' | 'open' | 'over' = 'holding'
  let held: Frame[] = []
  let bytes = 0
  let tired: Disposable | null = null
  /** it was held for long: the next byte opens it, or the lack of another candidate */
  let late = false
  let said = false

  function leave(to: 'open' | 'over'): void {
    tired?.dispose()
    state = to
  }
  function open(): void {
    leave('open')
    begin()
    for (const frame of held) next.frame(frame)
    held = []
  }
  function say(): void {
    said = true
    onSaid()
  }
  function passOn(): void {
    if (state !== 'holding') return
    open()
    next.flush()
  }
  function hold(frame: Frame): void {
    tired ??= clock.after(LONGEST_MS, () => {
      late = true
      if (!mayWait()) passOn()
    })
    held.push(frame)
    bytes += frame.to - frame.from
    if (late || bytes > MOST_BYTES) open()
  }
  function nothing(error: OnwardError): void {
    leave('over')
    onNothing(error)
  }

  return {
    head: (head) => next.head(head),
    progress: () => (state === 'open' ? next.progress() : 'under-way'),
    frame(frame) {
      if (state === 'open') {
        if (!said && beginning(frame) !== 'nothing') say()
        return next.frame(frame)
      }
      if (state === 'over') return
      const found = beginning(frame)
      if (found === 'nothing') return hold(frame)
      if (typeof found === 'number' && onFailed(found, frame.data ?? frame.raw)) return leave('over')
      open()
      say()
      next.frame(frame)
    },
    passOn() {
      if (late) passOn()
    },
    flush: () => state !== 'open' || next.flush(),
    end(rest) {
      if (state === 'open') next.end(rest)
      else if (state === 'holding')
        nothing(isNoStream([...held.map(({ raw }) => raw), rest]) ? unreadable() : endedEarly())
    },
    error(error, rest) {
      if (state === 'open') next.error(error, rest)
      else if (state === 'holding') nothing(error)
    },
  }
}

/** A line that no stream of events has: a page, a greeting of another protocol. */
const isNoStream = (bytes: readonly Buffer[]): boolean =>
  /^(?!:|(?:event|data|id|retry)\b|\s*$)/m.test(Buffer.concat(bytes).toString('latin1'))

const unreadable = (): OnwardError =>
  new OnwardError('bad-answer', 'The answer of the provider is neither whole JSON nor a stream of events.', {
    status: 502,
    retryable: true,
  })

/** A stream without any content is no answer. */
export const endedEarly = (): OnwardError =>
  new OnwardError('upstream-broke-off', 'The provider ended its answer before it began.', {
    status: 502,
    retryable: true,
  })

/** A longer body is joined in pieces: its fresh memory takes longer than other work may be kept waiting. */
export const joinedAtOnce = 1024 * 1024

export type HeldBytes = ReturnType<typeof heldBytes>

/** The chunks of a body, joined once. */
export function heldBytes() {
  let chunks: Buffer[] = []
  const held = {
    length: 0,
    endsAsJson: (): boolean => /[}\]]\s*$/.test(chunks.at(-1)?.toString('latin1', -16) ?? ''),
    isJson(): boolean {
      const whole = Buffer.concat(chunks)
      if (holdsMoreValues(whole, mostFrameValues)) return false
      return parseObject(whole) !== null || parseObjects(whole) !== null
    },
    add(chunk: Buffer) {
      chunks.push(chunk)
      held.length += chunk.length
    },
    take() {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      chunks = []
      held.length = 0
      return all
    },
    /** A reader recognises a body by the first sign of its first piece, and blanks may have come first. */
    takePieces(): Buffer[] {
      const blanks = chunks.findIndex((chunk) => beginsWith(chunk) !== 'blanks')
      const pieces = blanks > 0 ? [Buffer.concat(chunks.slice(0, blanks + 1)), ...chunks.slice(blanks + 1)] : chunks
      chunks = []
      held.length = 0
      return pieces
    },
    /** for a body that is joined in turns of the event loop */
    takeByTurns(then: (all: Buffer) => void) {
      const all = Buffer.allocUnsafeSlow(held.length)
      const pieces = chunks
      chunks = []
      held.length = 0
      const join = (from: number, to: number): void => {
        let at = to
        for (const [i, piece] of pieces.slice(from).entries()) {
          if (!fairShare.hasTime()) return fairShare.wait(() => join(from + i, at))
          all.set(piece, at)
          at += piece.length
        }
        then(all)
      }
      join(0, 0)
    },
  }
  return held
}

/** The bytes of a byte order mark, which may precede a text and come in pieces. */
const bom = new Set([0xef, 0xbb, 0xbf])

/**
 * Reads from an answer's first bytes what it is, whatever its label: no line of a stream of events begins as JSON does.
 * `blanks`: not known yet. DeepSeek sends empty lines while a request that does not stream waits for its turn
 * (https://api-docs.deepseek.com/quick_start/rate_limit).
 */
export function beginsWith(chunk: Uint8Array): 'object' | 'list' | 'blanks' | 'other' {
  for (const byte of chunk) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || bom.has(byte)) continue
    return byte === 0x7b ? 'object' : byte === 0x5b ? 'list' : 'other'
  }
  return 'blanks'
}

export interface SilenceInput {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** null: nothing is watched here */
  silence: Pick<SilenceLimits, 'silentMs' | 'evenAlone' | 'wordlessMs'> | null
  /** another candidate could answer now */
  mayAskAnother(): boolean
}

interface SilenceEnds {
  /** the request is still on its way up */
  isSending(): boolean
  /** the answer is given up */
  onLate(error: OnwardError): void
  /** it is silent, and there is no other candidate: the caller's own limits count */
  onAlone(): void
}

export interface SilenceWatch extends Disposable {
  /** a byte came */
  touch(): void
  /** true if it is given up before its client loses patience */
  mayEnd(): boolean
}

/** Some clients wait no longer than this for an answer to begin (Qwen Code 0.24.4). */
const CLIENTS_WAIT_MS = 120_000

/**
 * Watches an answer that has no content yet, with one timer that arrivals do not reset. Bytes are a sign of life, but
 * not for ever.
 */
export function watchSilence({ clock, silence, mayAskAnother }: SilenceInput, ends: SilenceEnds): SilenceWatch {
  let silentMs = silence?.silentMs ?? 0
  const wordlessMs = silence?.wordlessMs ?? 0
  let last = clock.monotonic()
  let first: number | null = null
  let timer: Disposable | null = null
  let over = false

  function arm(): void {
    if (over) return
    const now = clock.monotonic()
    const left = Math.min(
      silentMs > 0 ? last + silentMs - now : Infinity,
      wordlessMs > 0 ? (first ?? now) + wordlessMs - now : Infinity,
    )
    timer = left === Infinity ? null : clock.after(Math.max(1, left), check)
  }
  function check(): void {
    const now = clock.monotonic()
    if (ends.isSending()) last = now
    if (wordlessMs > 0 && first !== null && now - first >= wordlessMs) return ends.onLate(wordless(wordlessMs))
    if (silentMs > 0 && now - last >= silentMs) {
      if (silence?.evenAlone || mayAskAnother()) return ends.onLate(silent(silentMs))
      silentMs = 0
      ends.onAlone()
    }
    arm()
  }
  arm()

  return {
    touch() {
      last = clock.monotonic()
      first ??= last
    },
    mayEnd: () => silentMs > 0 && silentMs <= CLIENTS_WAIT_MS,
    dispose() {
      over = true
      timer?.dispose()
      timer = null
    },
  }
}

const late = (message: string, waitedMs: number): OnwardError =>
  new OnwardError('upstream-silent', message, { status: 504, retryable: true, details: { waitedMs } })

const silent = (ms: number): OnwardError =>
  late(`The provider sent nothing for ${Math.round(ms / 1000)} s, and had said nothing before.`, ms)

const wordless = (ms: number): OnwardError =>
  late(`The provider sent signs of life for ${Math.round(ms / 60_000)} min, and said nothing.`, ms)
