import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Frame } from '../../protocol/answer/frame.ts'
import type { Beginning } from '../../protocol/beginning.ts'
import type { ReadingStep } from './step.ts'

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
