import { isIP } from 'node:net'
import { baseUrlOf } from '../../../shared/config/presets.ts'
import type { ProviderConfig } from '../../../shared/config/schema.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { notPublic } from '../web/addresses.ts'
import type { UpstreamRequest } from './types.ts'

/**
 * How long an upstream may take. A first byte may need minutes, as some models think out a whole answer before it
 * (official SDKs wait 600 s).
 */
export const usualTimeouts = { connectMs: 10_000, firstByteMs: 600_000, idleMs: 300_000 } as const

/** How long a stream may be silent; 0: for ever. */
export interface SilenceLimits {
  /** no byte came, and nothing was said: another provider is asked */
  silentMs: number
  /** ... and where there is no other, it is given up all the same */
  evenAlone: boolean
  /** bytes came, and nothing was said */
  wordlessMs: number
  /** no byte came since something was said */
  idleMs: number
}

export interface TimeLimits {
  timeouts: UpstreamRequest['timeouts']
  silence: SilenceLimits
}

/** The limits that a model's answers so far call for; null: too few of them are known. */
export interface MeasuredSilence {
  silentMs: number | null
  idleMs: number | null
}

const SILENT_MS = 60_000
const WORDLESS_MS = 600_000
/** However quick a model is, it may pause for a moment. */
const LEAST_IDLE_MS = 30_000

/**
 * Returns the limits of one model. Those in the config count as they are. Measured values alone never make a limit
 * longer than the usual one, and a model on this machine or in this network has only the usual ones: it reads a long
 * prompt for minutes without a byte.
 */
export function timeLimits(
  providerId: string,
  provider: ProviderConfig,
  model: string,
  measured: MeasuredSilence | null,
): TimeLimits {
  const ofModel = Object.hasOwn(provider.models, model) ? provider.models[model]?.timeouts : undefined
  const set = { ...provider.quirks.timeouts, ...ofModel }
  const isNear = answersNearby(providerId, provider)
  // A config that says how long to wait for bytes must not be overtaken by a limit of ours.
  const isSet = set.firstByteMs !== undefined || set.idleMs !== undefined
  const { silentMs = null, idleMs = null } = isNear ? {} : (measured ?? {})
  return {
    timeouts: {
      connectMs: set.connectMs ?? usualTimeouts.connectMs,
      firstByteMs: set.firstByteMs ?? usualTimeouts.firstByteMs,
      idleMs: set.idleMs ?? usualTimeouts.idleMs,
    },
    silence: {
      silentMs: set.silentMs ?? (isSet || isNear ? 0 : between(SILENT_MS, silentMs ?? 0, usualTimeouts.firstByteMs)),
      evenAlone: set.silentMs !== undefined || silentMs !== null,
      wordlessMs: set.wordlessMs ?? (isNear ? 0 : WORDLESS_MS),
      idleMs:
        set.idleMs ?? (idleMs === null ? usualTimeouts.idleMs : between(LEAST_IDLE_MS, idleMs, usualTimeouts.idleMs)),
    },
  }
}

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/** Forgotten with the config that named the provider. */
const known = new WeakMap<ProviderConfig, boolean>()

/** True on this machine or in a private network, by its address alone: no name is looked up. */
function answersNearby(providerId: string, provider: ProviderConfig): boolean {
  const before = known.get(provider)
  if (before !== undefined) return before
  const address = provider.type === 'simulator' ? null : baseUrlOf(providerId, provider)
  const is = provider.type === 'simulator' || (address !== null && URL.canParse(address) && isNear(new URL(address)))
  known.set(provider, is)
  return is
}

function isNear({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return notPublic(host) !== null
  return !host.includes('.') || /\.(?:localhost|local|lan|home|internal|home\.arpa)$/.test(host)
}

export type Waiting = 'connect' | 'first-byte' | 'idle'

/**
 * Watches the time limits of one upstream call with a single timer: an arrival only moves an instant, and no timer is
 * re-armed per chunk.
 */
export interface Watch extends Disposable {
  /** waits for something else now; `ms` 0 waits for ever */
  waitFor(what: Waiting, ms: number): void
  /** something arrived */
  touch(): void
  /** the current wait may take this long from the last arrival on */
  limit(ms: number): void
  /** the longest wait since the last call of this method; without the time of a slow reader */
  longest(): number
  /** the reader is slow, not the upstream: time stands still */
  hold(): void
  release(): void
}

export function watch(clock: Clock, onLate: (what: Waiting, ms: number) => void): Watch {
  let timer: Disposable | null = null
  let what: Waiting = 'connect'
  let limit = 0
  let since = clock.monotonic()
  let held = false
  let firesAt = 0
  let longest = 0

  const arm = (ms: number) => {
    firesAt = clock.monotonic() + ms
    timer = clock.after(ms, check)
  }
  const check = () => {
    timer = null
    const left = held ? limit : limit - (clock.monotonic() - since)
    if (left > 0) return arm(left)
    longest = Math.max(longest, limit)
    onLate(what, limit)
  }
  const arrived = () => {
    const now = clock.monotonic()
    if (now - since > longest) longest = now - since
    since = now
  }
  return {
    waitFor(next, ms) {
      what = next
      limit = ms
      arrived()
      // A timer that fires too early waits for the rest: nearly every call is over before it fires.
      if (timer && ms > 0 && firesAt <= since + ms) return
      timer?.dispose()
      timer = null
      if (ms > 0) arm(ms)
    },
    touch: arrived,
    limit(ms) {
      limit = ms
      const left = ms - (clock.monotonic() - since)
      if (timer && ms > 0 && firesAt <= clock.monotonic() + left) return
      timer?.dispose()
      timer = null
      if (ms > 0) arm(Math.max(0, left))
    },
    longest() {
      const was = longest
      longest = 0
      return was
    },
    hold() {
      held = true
    },
    release() {
      held = false
      since = clock.monotonic()
    },
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}
