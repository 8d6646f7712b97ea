import { z } from 'zod'
import { noSync, type ClockSync } from '../../../shared/alarms/alarms.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { Clock } from '../base/clock.ts'
import { type Disposable, emitter } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Store, Document, DocumentSpec } from '../store/types.ts'
import type { TimeSync } from './model/types.ts'
import { askServer, type Said, mostOffsetMs, type QueryDeps } from './ntp/query.ts'
import { readServer, nodeUdp, type Udp } from './ntp/udp.ts'

export interface TimeSyncDeps {
  store: Store
  clock: Clock
  random: Random
  log: Log
  env: Readonly<Record<string, string | undefined>>
  config(): Config['clock']['ntp']
  /** absent: the system's */
  udp?: Udp
}

/** Best effort: without a server's answer it is this computer's own time. */
export function createTimeSync({ store, clock, random, log, env, config, udp = nodeUdp() }: TimeSyncDeps): TimeSync {
  const off = switchedOff(env)
  const wanted = (): boolean => !off && config().enabled
  const ask = createAsker({ udp, clock, random })
  const kept = keptSync({ store, log })
  const listeners = emitter<ClockSync>((error) =>
    log.error({ error: messageOf(error) }, 'a listener to the time sync failed'),
  )
  const ending = new AbortController()

  let sync: ClockSync | null = null
  let announced: ClockSync | null = null
  /** wall minus monotonic time for which the offset holds; null: there is nothing to watch */
  let skew: number | null = null
  /** the clock was set since a server answered */
  let doubted = false
  let failures = 0
  let asking = false
  let askedAt = -Infinity
  let timer: Disposable | null = null
  let ageing: Disposable | null = null

  const state = (): ClockSync => sync ?? (wanted() ? unheard : noSync)

  const become = (next: ClockSync): void => {
    sync = next
    if (next.status !== 'disabled') kept.keep(next)
    if (announced !== null && !isWorthAnnouncing(announced, next)) return
    announced = next
    log.info({ ...next }, 'the time sync changed')
    listeners.emit(next)
  }

  const plan = (ms: number): void => {
    const failed = (error: unknown) => log.error({ error: messageOf(error) }, 'a round of the time sync failed')
    timer?.dispose()
    timer = clock.after(ms, () => void round().catch(failed))
  }

  /** Costs two readings of the clock, and is worth it at every reading. */
  const watch = (): void => {
    if (skew === null || ending.signal.aborted) return
    const jumpMs = skewOf(clock) - skew
    if (Math.abs(jumpMs) <= steadyMs) return
    skew += jumpMs
    doubted = true
    const now = state()
    sync = { ...now, offsetMs: offsetAfterJump(now.offsetMs, jumpMs) }
    log.info({ jumpMs, offsetMs: sync.offsetMs }, 'the clock of this computer was set, or it slept')
    // Listeners are called with the next round: the caller that reads the time is in the middle of something else.
    if (!asking) plan(Math.max(0, askedAt + leastGapMs - clock.monotonic()))
  }

  const enter = async (): Promise<void> => {
    sync = restored(await kept.load(), clock.now())
    skew = skewOf(clock)
  }

  const settle = (heard: Round): void => {
    if (heard.kind === 'nobody') {
      failures++
      log.debug({ failures, why: heard.why }, 'no time server answered')
      return become(failed(state(), heard.why, doubted))
    }
    const { server, delayMs } = heard
    // -0 is no offset
    const offsetMs = Math.round(heard.offsetMs) || 0
    log.debug({ server, offsetMs, delayMs }, 'a time server answered')
    failures = 0
    doubted = false
    skew = heard.skew
    ageing?.dispose()
    ageing = clock.after(3 * config().refreshMs, () => become({ ...state(), status: 'stale' }))
    become({ status: 'synced', offsetMs, at: Math.round(heard.skew + clock.monotonic()) + offsetMs, lastError: null })
  }

  const round = async (): Promise<void> => {
    if (asking) return
    if (wanted()) {
      asking = true
      if (skew === null) await enter()
      watch()
      askedAt = clock.monotonic()
      const heard = await ask({ ...config(), signal: ending.signal })
      asking = false
      if (ending.signal.aborted) return
      // The sync may have been switched off meanwhile.
      if (wanted()) settle(heard)
    }
    if (!wanted()) {
      skew = null
      failures = 0
      ageing?.dispose()
      become(noSync)
    }
    plan(waitFor({ failures, refreshMs: config().refreshMs, fraction: random.fraction() }))
    watch()
  }

  return {
    async start() {
      if (wanted()) await enter()
      announced = state()
      // The environment does not change while this process runs. Not in the way of a start: the first look-up of a
      // server's name alone takes some milliseconds.
      if (!off && !ending.signal.aborted) plan(0)
    },
    clock: correctedClock(clock, () => {
      watch()
      return sync?.offsetMs ?? 0
    }),
    state,
    onChange: (listener) => listeners.on(listener),
    dispose() {
      ending.abort()
      timer?.dispose()
      ageing?.dispose()
    },
  }
}

const skewOf = (clock: Clock): number => clock.now() - clock.monotonic()

const correctedClock = (clock: Clock, offsetMs: () => number): Clock => ({
  now() {
    const offset = offsetMs()
    return clock.now() + offset
  },
  monotonic: () => clock.monotonic(),
  after: (ms, fn) => clock.after(ms, fn),
})

type Round =
  | { kind: 'heard'; server: string; offsetMs: number; delayMs: number; skew: number }
  /** `why`: of every server */
  | { kind: 'nobody'; why: string }

interface RoundHow {
  servers: readonly string[]
  timeoutMs: number
  signal: AbortSignal
}

/** how long a server is left alone that asked for it */
const quietMs = 3_600_000

/**
 * Asks servers one after the other, until one answers. Remembers between rounds which to leave alone. Never rejects.
 */
function createAsker(deps: QueryDeps): (how: RoundHow) => Promise<Round> {
  const quiet = new Map<string, { until: number; why: string }>()
  const failures = new Map<string, number>()

  const ask = async (server: string, { timeoutMs, signal }: RoundHow): Promise<Said> => {
    const address = readServer(server)
    if (address === null) return { kind: 'failed', why: 'is no host or host:port' }
    const resting = quiet.get(server)
    if (resting && deps.clock.monotonic() < resting.until) return { kind: 'failed', why: resting.why }
    quiet.delete(server)
    const said = await askServer(deps, address, { timeoutMs, failures: failures.get(server) ?? 0, signal })
    if (said.kind === 'kiss') quiet.set(server, { until: deps.clock.monotonic() + quietMs, why: said.why })
    if (said.kind === 'failed') failures.set(server, (failures.get(server) ?? 0) + 1)
    else failures.delete(server)
    return said
  }

  return async (how) => {
    const whys: string[] = []
    for (const server of new Set(how.servers)) {
      if (how.signal.aborted) break
      const said = await ask(server, how)
      if (said.kind === 'offset') return { ...said, kind: 'heard', server }
      whys.push(`${server}: ${said.why}`)
    }
    return { kind: 'nobody', why: whys.join('; ') }
  }
}

const shape: z.ZodType<ClockSync> = z.object({
  status: z.enum(['synced', 'stale', 'error', 'disabled']),
  offsetMs: z.number().min(-mostOffsetMs).max(mostOffsetMs),
  at: z.number().nullable(),
  lastError: z.string().nullable(),
})
const spec: DocumentSpec<ClockSync> = { path: 'clock/ntp-state.json', version: 1, parse: (value) => shape.parse(value) }

export interface KeptSync {
  /** null: nothing was kept, or nothing can be read */
  load(): Promise<ClockSync | null>
  /** Returns at once. */
  keep(sync: ClockSync): void
}

/** Keeps the state over restarts. A disk that fails only causes a warning: the time is right without it. */
export function keptSync({ store, log }: { store: Store; log: Log }): KeptSync {
  let document: Document<ClockSync> | null = null
  let last: string | null = null
  const open = async (): Promise<Document<ClockSync>> => (document ??= await store.document(spec))
  const warn = (doing: string) => (error: unknown) =>
    log.warn({ file: spec.path, error: messageOf(error) }, `the state of the time sync could not be ${doing}`)
  return {
    async load() {
      try {
        return (await open()).get()
      } catch (error) {
        warn('read')(error)
        return null
      }
    },
    keep(sync) {
      const text = JSON.stringify(sync)
      if (text === last) return
      last = text
      open()
        .then((opened) => opened.set(sync))
        .catch((error: unknown) => {
          last = null
          warn('written')(error)
        })
    },
  }
}

/** A wall clock may run this far from monotonic time, as it is drawn towards the right time bit by bit. */
export const steadyMs = 1000
/** An older measurement says little about a computer's clock today. */
const longestKeptMs = 7 * 24 * 3_600_000
const worthTellingMs = 50

/** Nothing was heard yet, nothing failed yet. */
export const unheard: ClockSync = { ...noSync, status: 'stale' }

/** Returns the state of an earlier run as far as it can still be used. `wall` is this computer's time now. */
export function restored(kept: ClockSync | null, wall: number): ClockSync {
  if (kept === null || kept.at === null) return unheard
  const age = wall + kept.offsetMs - kept.at
  // An answer from the future: the clock was set back since then.
  return age < -steadyMs || age > longestKeptMs ? unheard : { ...kept, status: 'stale' }
}

/** No server answered. `doubted`: the clock was set since the last answer. */
export function failed(sync: ClockSync, why: string, doubted: boolean): ClockSync {
  if (sync.at === null) return { ...sync, status: 'error', lastError: why }
  return { ...sync, status: doubted ? 'stale' : sync.status, lastError: why }
}

/**
 * The wall clock moved by `jumpMs` against monotonic time. Backwards, or forwards by just what was missing: it was set,
 * and true time did not move with it. Forwards otherwise: as likely the computer slept, which leaves the offset as it
 * was.
 */
export function offsetAfterJump(offsetMs: number, jumpMs: number): number {
  const moved = offsetMs - jumpMs
  if (jumpMs > 0 && Math.abs(moved) > steadyMs) return offsetMs
  return Math.abs(moved) > mostOffsetMs ? 0 : Math.round(moved) || 0
}

/** True if listeners should be called: most refreshes change nothing for them. */
export const isWorthAnnouncing = (announced: ClockSync, now: ClockSync): boolean =>
  announced.status !== now.status || Math.abs(announced.offsetMs - now.offsetMs) > worthTellingMs

/** No client may ask more often (RFC 4330, 10), even if the clock is set again and again. */
export const leastGapMs = 15_000
const firstRetryMs = 30_000

/**
 * Until the next round: `failures` rounds in a row had no answer. `fraction` spreads it by a tenth to either side, so
 * that not all computers ask at once.
 */
export function waitFor({
  failures,
  refreshMs,
  fraction,
}: {
  failures: number
  refreshMs: number
  fraction: number
}): number {
  const wait = failures === 0 ? refreshMs : Math.min(refreshMs, firstRetryMs * 2 ** (failures - 1))
  return wait * (0.9 + 0.2 * fraction)
}

/** `ROUTECODEX_CLOCK_NTP=off`: this process asks no time server, whatever its config says. */
export const switchedOff = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /^(off|0|false)$/i.test((env.ROUTECODEX_CLOCK_NTP ?? '').trim())
