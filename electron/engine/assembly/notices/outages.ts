import type { ProviderView } from '../../../../shared/routing.ts'
import type { FailedTurn, TurnFailure } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Notices } from './notices.ts'
import { wholeLimit } from './provider-events.ts'

/** Turns that failed for good, and the return of their providers. Each makes one notice. */
export interface Outages {
  gaveUp(where: { sessionId: string; scope: Scope | null }, failure: TurnFailure): void
  /** the state of providers may have changed */
  check(): void
  /** its return was announced in another way */
  returnAnnounced(provider: string): void
}

export function createOutages(deps: { notices: Notices; views(): readonly ProviderView[] }): Outages {
  const { notices } = deps
  const unreturned = new Set<string>()
  return {
    returnAnnounced: (provider) => void unreturned.delete(provider),
    gaveUp(where, { provider, status, message, since, tries, tried }) {
      if (provider !== null) unreturned.add(provider)
      notices.tell(where, {
        class: 'needs-you',
        what: '',
        failure: { provider, status, message, since, tries, tried, ...limitOf(deps.views(), provider) },
      })
    },
    check() {
      if (unreturned.size === 0) return
      for (const { id, health } of deps.views()) {
        if (health.kind !== 'healthy' && health.kind !== 'answers-again') continue
        if (unreturned.delete(id))
          notices.tell(
            { sessionId: null, scope: null },
            { class: 'limit', provider: id, change: 'back', liftsAt: null },
          )
      }
    },
  }
}

function limitOf(views: readonly ProviderView[], provider: string | null): Pick<FailedTurn, 'limit'> {
  const limit = provider === null ? null : wholeLimit(views, provider)
  return provider === null || limit === null ? {} : { limit: { provider, lifts: limit.lifts } }
}
