import { providerOfTarget } from '../../../../shared/outage.ts'
import { atTime, type Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'

/**
 * Asks failing providers now and then, one call at a time each, until they answer, for every part that waits for them.
 */
export interface ReturnProbes {
  /** The targets `owner` waits for from now on, as `provider.model`. */
  want(owner: string, targets: ReadonlySet<string>): void
  dispose(): void
}

export interface ReturnProbesDeps {
  clock: Clock
  log: Log
  /** a small real call. @returns whether it answered */
  ask(providerId: string, model: string): Promise<boolean>
  /** until when the provider itself asked to be left alone; null: it named no time */
  restsUntil(providerId: string): number | null
  answered(target: string): void
}

/** Failing calls cost nothing, and the first answer ends them: a session goes on within a minute of the return. */
const ASK_MS = [15_000, 30_000, 45_000] as const
const MOST_MS = 45_000
/** between two calls to one provider in vain, whichever of its models they ask */
const APART_MS = 15_000

export function createReturnProbes({ clock, log, ask, restsUntil, answered }: ReturnProbesDeps): ReturnProbes {
  const wanted = new Map<string, ReadonlySet<string>>()
  const asking = new Map<string, { timer: Disposable | null }>()
  /** providers with a call under way: one at a time */
  const busy = new Set<string>()
  /** monotonic; when each provider may be asked again */
  const freeAt = new Map<string, number>()

  const plan = (target: string, times: number, pause: number = ASK_MS[times] ?? MOST_MS) => {
    const at = Math.max(clock.now() + pause, restsUntil(providerOfTarget(target)) ?? 0)
    asking.set(target, { timer: atTime(clock, at, () => void probe(target, times)) })
  }
  const probe = async (target: string, times: number) => {
    const providerId = providerOfTarget(target)
    if (busy.has(providerId)) return plan(target, times, APART_MS)
    const freeIn = (freeAt.get(providerId) ?? 0) - clock.monotonic()
    if (freeIn > 0) return plan(target, times, freeIn)
    const entry = { timer: null }
    asking.set(target, entry)
    busy.add(providerId)
    freeAt.delete(providerId)
    try {
      if (await ask(providerId, target.slice(providerId.length + 1))) answered(target)
      else freeAt.set(providerId, clock.monotonic() + APART_MS)
    } catch (error) {
      log.warn({ target, error: messageOf(error) }, 'could not ask whether a provider answers again')
    } finally {
      busy.delete(providerId)
    }
    if (asking.get(target) === entry) plan(target, times + 1)
  }
  return {
    want(owner, targets) {
      wanted.set(owner, targets)
      const all = new Set([...wanted.values()].flatMap((one) => [...one]))
      for (const [target, { timer }] of asking) {
        if (all.has(target)) continue
        timer?.dispose()
        asking.delete(target)
      }
      for (const target of all) if (!asking.has(target)) plan(target, 0)
    },
    dispose() {
      for (const { timer } of asking.values()) timer?.dispose()
      asking.clear()
      wanted.clear()
    },
  }
}
