import type { RecordEvent } from '../../../../shared/events.ts'
import type { ProviderView } from '../../../../shared/routing.ts'
import { sentencesOf } from '../../../../shared/sentences/index.ts'
import type { Language } from '../../../../shared/words.ts'
import type { HealthEvent } from '../../router/health/health.ts'
import type { ProviderLimit } from '../../servertools/resume-at-reset/index.ts'
import type { Notices } from './notices.ts'

export interface ProviderEventsDeps {
  record: RecordEvent
  notices: Notices
  language(): Language
  now(): number
  /** a limit is over, early or not */
  lifted(provider: string): void
  /** the limit the whole provider rests for; null while it still answers with another key */
  limitOf(provider: string): ProviderLimit | null
  /** the provider answers no call until it lifts, whether or not another one takes its turns */
  reached(provider: string, limit: ProviderLimit): void
}

/** Reports providers to a person: the timeline records every rest and return, and a refused key asks for the person. */
export function createProviderEvents({
  record,
  notices,
  language,
  now,
  lifted,
  limitOf,
  reached,
}: ProviderEventsDeps): (event: HealthEvent) => void {
  return ({ kind, provider, key, rest }) => {
    if (kind === 'back') {
      record({}, { type: 'provider-back', provider, key })
      if (rest.why === 'limit') lifted(provider)
      return
    }
    record({}, { type: 'provider-resting', provider, key, rest })
    const limit = rest.why === 'limit' ? limitOf(provider) : null
    if (limit) reached(provider, limit)
    if (rest.why !== 'refused') return
    const words = sentencesOf(language())
    notices.tell(
      { sessionId: null, scope: null },
      {
        class: 'proxy-error',
        message: `${key === null ? provider : `${provider} “${key}”`}: ${words.rest(rest, now())}`,
      },
    )
  }
}

/** @returns until when the provider itself asked to be left alone; null: it named no time */
export function announcedRest(views: readonly ProviderView[], provider: string): number | null {
  const health = views.find(({ id }) => id === provider)?.health
  if (health?.kind !== 'resting' || health.models.length > 0) return null
  const { rest } = health
  if (rest.why === 'limit') return rest.lifts
  return rest.why === 'rate' && rest.told ? rest.until : null
}

/** @returns the limit for which no key of the provider is left */
export function wholeLimit(views: readonly ProviderView[], provider: string): ProviderLimit | null {
  const health = views.find(({ id }) => id === provider)?.health
  if (health?.kind !== 'resting' || health.models.length > 0 || health.rest.why !== 'limit') return null
  return { since: health.rest.since, lifts: health.rest.lifts }
}
