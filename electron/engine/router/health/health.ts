import type { Rest } from '../../../../shared/routing.ts'
import type { Clock } from '../../base/clock.ts'
import type { LimitNews, ReadLimit } from '../limits/types.ts'
import type { RouteChoice, RouteOutcome } from '../types.ts'
import { createFailures } from './failures.ts'
import { createRests, type Rests, type Standing } from './rests.ts'

const MINUTE = 60_000
const LONGEST_COOL_DOWN_MS = 10 * MINUTE
/** A key that was not taken: a wrong key stays wrong, but 403 is also said of single requests. */
const REFUSED_MS: Readonly<Partial<Record<number, number>>> = { 401: 5 * MINUTE, 402: 5 * MINUTE, 403: MINUTE }
/** Asked too fast, and nobody said for how long. */
const RATE_MS = 30_000
/** A limit that names no time is looked at again after this. */
const LIMIT_MS = 15 * MINUTE
/** Telling of a rest shorter than this would be noise. */
const TOLD_MS = MINUTE

export const providerName = (providerId: string): string => providerId
export const modelName = (providerId: string, model: string): string => `${providerId}\0m${model}`
/** A key that got a new value is a new key: it does not rest for what the old one did. A client's own login is a key, too. */
export const keyName = ({ providerId, key, credential }: Pick<RouteChoice, 'providerId' | 'key' | 'credential'>): string =>
  `${providerId}\0k${key ? `${key.alias}\0${key.value}` : (credential ?? '')}`

export interface HealthNews { kind: 'resting' | 'back'; provider: string; key: string | null; rest: Rest }

export interface Health {
  provider(providerId: string): Standing
  model(providerId: string, model: string): Standing
  key(choice: Pick<RouteChoice, 'providerId' | 'key' | 'credential'>): Standing
  /** this choice is the trial of whatever of it is due */
  claim(choice: RouteChoice): void
  /** @returns what a refusal told of a limit */
  report(choice: RouteChoice, outcome: RouteOutcome): LimitNews | null
  rests: Rests
}

export interface HealthDeps {
  clock: Clock
  settings(): { failures: number; coolDownSeconds: number }
  readLimit: ReadLimit
  /** something rests, or is back, that a person may want to hear of */
  onNews(news: HealthNews): void
  onChange(): void
}

/** How providers, models and keys have done, and who rests for it. */
export function createHealth({ clock, settings, readLimit, onNews, onChange }: HealthDeps): Health {
  const rests = createRests(clock)
  const failures = createFailures()
  const namesOf = (choice: RouteChoice) => [providerName(choice.providerId), modelName(choice.providerId, choice.upstreamModel), keyName(choice)] as const

  const begin = (name: string, choice: RouteChoice, rest: Rest, key: string | null) => {
    const was = rests.of(name)
    rests.begin(name, rest)
    // A trial that failed is no news: it rested before, and it rests.
    if (was.kind === 'free' && rest.until - clock.now() >= TOLD_MS || was.kind === 'free' && rest.why === 'failures') onNews({ kind: 'resting', provider: choice.providerId, key, rest })
    onChange()
  }
  const end = (name: string, choice: RouteChoice, key: string | null) => {
    const rest = rests.end(name)
    if (!rest) return
    onNews({ kind: 'back', provider: choice.providerId, key, rest })
    onChange()
  }
  const failed = (name: string, choice: RouteChoice) => {
    const count = failures.add(name)
    const wasResting = rests.of(name).kind !== 'free'
    const { failures: most, coolDownSeconds } = settings()
    if (count < most && !wasResting) return
    const ms = Math.min(LONGEST_COOL_DOWN_MS, coolDownSeconds * 1000 * 2 ** Math.min(20, failures.rested(name) - 1))
    begin(name, choice, { why: 'failures', count, until: clock.now() + ms }, null)
  }
  const isBack = (choice: RouteChoice) => {
    const [provider, model, key] = namesOf(choice)
    for (const name of [provider, model]) end(name, choice, null)
    end(key, choice, choice.key?.alias ?? null)
  }
  /** An answer came, so provider and model live; the key's own standing is another matter. */
  const lives = (choice: RouteChoice) => {
    const [provider, model] = namesOf(choice)
    for (const name of [provider, model]) { failures.good(name); end(name, choice, null) }
  }
  const refusedWith = (choice: RouteChoice, status: number, news: LimitNews | null) => {
    const [, model, key] = namesOf(choice)
    const alias = choice.key?.alias ?? null
    const now = clock.now()
    if (status === 429 || news) {
      lives(choice)
      begin(key, choice, restOf(news, now), alias)
    } else if (REFUSED_MS[status] !== undefined) {
      lives(choice)
      begin(key, choice, { why: 'refused', status, until: now + REFUSED_MS[status] }, alias)
    } else if (status >= 500 || status === 408) failed(model, choice)
    else lives(choice)
  }

  return {
    rests,
    provider: (providerId) => rests.of(providerName(providerId)),
    model: (providerId, model) => rests.of(modelName(providerId, model)),
    key: (choice) => rests.of(keyName(choice)),
    claim(choice) {
      for (const name of namesOf(choice)) {
        if (rests.of(name).kind === 'free') continue
        rests.claim(name)
        onChange()
      }
    },
    report(choice, outcome) {
      const [provider, model] = namesOf(choice)
      switch (outcome.kind) {
        case 'began':
          isBack(choice)
          return null
        case 'left':
          for (const name of namesOf(choice)) rests.release(name)
          return null
        case 'unreachable':
          if (outcome.code === 'upstream-aborted') for (const name of namesOf(choice)) rests.release(name)
          else failed(outcome.code === 'upstream-unreachable' || outcome.code === 'upstream-redirected' ? provider : model, choice)
          return null
        case 'answered':
        case 'refused': {
          const { status, headers, body } = outcome
          if (status >= 400) {
            const news = status === 429 || status === 402 || status === 403 ? readLimit({ status, headers, body, now: clock.now() }) : null
            refusedWith(choice, status, news)
            return news
          }
          if (outcome.kind === 'answered' && outcome.brokenOff) failed(model, choice)
          else { isBack(choice); failures.good(provider); failures.good(model) }
          return null
        }
      }
    },
  }
}

function restOf(news: LimitNews | null, now: number): Rest {
  if (news?.kind === 'limit') return { why: 'limit', window: news.window, since: now, lifts: news.lifts, until: news.lifts ?? now + LIMIT_MS }
  return { why: 'rate', until: news?.until ?? now + RATE_MS }
}
