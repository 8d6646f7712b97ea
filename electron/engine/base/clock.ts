import type { Disposable } from './disposable.ts'

/** All time in the engine comes from here, so that every timing rule has a test without a sleep. */
export interface Clock {
  /** epoch milliseconds */
  now(): number
  /** milliseconds that never go back, for durations */
  monotonic(): number
  /** runs `fn` once after `ms`; the timer does not keep the process alive */
  after(ms: number, fn: () => void): Disposable
}

/**
 * A timer that comes late, since the process had no turn or the machine was asleep, would run before anything that
 * waits in a socket is read, and give up what has come already. So it lets the sockets go first.
 * @param awake its timers keep the process alive, for a program that has nothing to do but wait
 */
export function systemClock(awake: 'awake' | null = null): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, fn) {
      let behind: NodeJS.Immediate | undefined
      const timer = setTimeout(() => {
        behind = setImmediate(fn)
      }, ms)
      if (!awake) timer.unref()
      return {
        dispose() {
          clearTimeout(timer)
          clearImmediate(behind)
        },
      }
    },
  }
}

/** A timer notices neither that the machine slept nor that its clock was set, so it looks again this often. */
const LOOK_MS = 15_000

/** Runs `fn` once when the clock on the wall shows `at`, epoch ms; soon after a sleep in which it came to that. */
export function atTime(clock: Clock, at: number, fn: () => void): Disposable {
  let timer: Disposable
  const look = () => {
    const left = at - clock.now()
    timer = clock.after(Math.max(0, Math.min(left, LOOK_MS)), () => (clock.now() < at ? look() : fn()))
  }
  look()
  return { dispose: () => timer.dispose() }
}

/** Waits on the given clock; resolves early (false) when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const stop = () => {
      timer.dispose()
      resolve(false)
    }
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve(true)
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}

export interface NowFacts {
  nowMs: number
  /** ISO 8601 in UTC */
  utc: string
  /** the same instant in the machine's zone, with its offset */
  local: string
  timezone: string
}

/** Zones are few, and making a format costs ten times its use, which matters because every request needs the time. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 16

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(timezone, format)
  return format
}

/**
 * How far a zone's wall clock was ahead of UTC in the last minute that was asked for. Offsets change at whole minutes,
 * so one look at the zone is enough for each; before this year some zones were off by seconds.
 */
interface Ahead {
  minute: number
  ms: number
  written: string
  /** the last second that was asked for, as its wall clock said it, and in UTC up to the decimal point */
  second: number
  local: string
  utc: string
}
const lastAhead = new Map<string, Ahead>()
const sinceMs = Date.UTC(2000, 0)
const minuteMs = 60_000
/** Further away the year has more than four digits, or the sign in front. */
const untilMs = Date.UTC(9999, 0)

/** One instant as the model reads it. @param timezone IANA name */
export function nowFacts(nowMs: number, timezone: string): NowFacts {
  const isUsual = nowMs >= sinceMs && nowMs < untilMs
  const minute = Math.floor(nowMs / minuteMs)
  const known = isUsual ? lastAhead.get(timezone) : undefined
  const second = Math.floor(nowMs / 1_000)
  if (known?.minute === minute) {
    if (known.second !== second) {
      known.second = second
      known.local = new Date(nowMs + known.ms).toISOString().slice(0, 19) + known.written
      known.utc = new Date(nowMs).toISOString().slice(0, 20)
    }
    const thousandths = String(Math.trunc(nowMs) - second * 1_000).padStart(3, '0')
    return { nowMs, utc: `${known.utc}${thousandths}Z`, local: known.local, timezone }
  }
  const facts = lookedUp(nowMs, timezone)
  const written = facts.local.slice(19)
  const ms = Date.parse(`${facts.local.slice(0, 19)}Z`) - second * 1_000
  if (isUsual && Number.isFinite(ms)) {
    if (lastAhead.size >= mostFormats) lastAhead.clear()
    const { local, utc } = facts
    lastAhead.set(timezone, { minute, ms, written, second, local, utc: utc.slice(0, 20) })
  }
  return facts
}

function lookedUp(nowMs: number, timezone: string): NowFacts {
  const at = new Date(nowMs)
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const offset = /([+-]\d\d:\d\d)/.exec(parts['timeZoneName'] ?? '')?.[1] ?? '+00:00'
  return {
    nowMs,
    utc: at.toISOString(),
    local:
      `${parts['year']}-${parts['month']}-${parts['day']}T` +
      `${parts['hour']}:${parts['minute']}:${parts['second']}${offset}`,
    timezone,
  }
}

/** IANA name of this computer's zone, as it is now: Node looks again when `TZ` is written or removed, else never. */
export function localZone(): string {
  if (process.env.TZ === undefined) delete process.env.TZ
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const keptMs = 60_000

/** The same for callers that ask with every request: a change of zone on a journey is seen within a minute. */
export function keptZone(clock: Pick<Clock, 'monotonic'>, ask: () => string = localZone): () => string {
  let kept: { zone: string; until: number } | null = null
  return () => {
    const now = clock.monotonic()
    if (kept === null || now >= kept.until) kept = { zone: ask(), until: now + keptMs }
    return kept.zone
  }
}
