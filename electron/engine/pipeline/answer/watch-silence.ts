import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import type { SilenceLimits } from '../../providers/time-limits.ts'

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
