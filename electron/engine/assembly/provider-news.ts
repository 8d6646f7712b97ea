import type { RecordEvent } from '../../../shared/events.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { Language } from '../../../shared/words.ts'
import type { HealthNews } from '../router/health/health.ts'
import type { Notices } from './notices.ts'

export interface ProviderNewsDeps {
  record: RecordEvent
  notices: Notices
  language(): Language
  now(): number
  /** a limit is over, early or not */
  lifted(provider: string): void
}

/** What a person hears of providers: every rest and return stands in the timeline, a key that is not taken asks for them. */
export function createProviderNews({ record, notices, language, now, lifted }: ProviderNewsDeps): (news: HealthNews) => void {
  return ({ kind, provider, key, rest }) => {
    if (kind === 'back') {
      record({}, { type: 'provider-back', provider, key })
      if (rest.why === 'limit') lifted(provider)
      return
    }
    record({}, { type: 'provider-resting', provider, key, rest })
    if (rest.why !== 'refused') return
    const words = sentencesOf(language())
    notices.tell({ sessionId: null, scope: null }, { class: 'proxy-error', message: `${key === null ? provider : `${provider} “${key}”`}: ${words.rest(rest, now())}` })
  }
}
