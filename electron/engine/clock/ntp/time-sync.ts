import { noSync, type ClockSync } from '../../../../shared/alarms/alarms.ts'
import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/types.ts'
import type { TimeSync } from '../model/types.ts'
import { keptSync } from './kept-sync.ts'
import { switchedOff } from './switched-off.ts'
import { failed, isWorthAnnouncing, offsetAfterJump, restored, steadyMs, unheard } from './sync-state.ts'
import { nodeUdp, type Udp } from './udp.ts'
import { leastGapMs, waitFor } from './waits.ts'
import { askServer, type Said } from './ask-server.ts'
import type { QueryDeps } from './query.ts'
import { readServer } from './server-address.ts'

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
