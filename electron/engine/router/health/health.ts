import type { Rest } from '../../../../shared/routing.ts'
import type { Clock } from '../../base/clock.ts'
import type { LimitReport, ReadLimit } from '../limits/types.ts'
import type { RouteChoice, RouteOutcome } from '../types.ts'
import { keyName, keyNames, modelName, providerName, subjectName, type Named } from './calls.ts'

const MINUTE = 60_000
const LONGEST_COOL_DOWN_MS = 10 * MINUTE
/** Rests of a key that was refused: a wrong key stays wrong, but 403 also comes for single requests. */
const REFUSED_MS: Readonly<Partial<Record<number, number>>> = { 401: 5 * MINUTE, 402: 5 * MINUTE, 403: MINUTE }
/** The rest of a key that was asked too fast, when the provider gave no time. */
const RATE_MS = 30_000
/** A limit without a time is tried again after this. */
const LIMIT_MS = 15 * MINUTE
/** To report a shorter rest would be noise. */
const NOTABLE_MS = MINUTE

export interface HealthEvent {
  kind: 'resting' | 'back'
  provider: string
  key: string | null
  rest: Rest
}

export interface Health {
  provider(named: Named): Standing
  model(named: Named, model: string): Standing
  /** of a key for this model, which may rest alone */
  key(choice: Named & Pick<RouteChoice, 'key' | 'credential'>, model: string): Standing
  /** makes this choice the trial of every part of it that is due */
  claim(choice: RouteChoice): void
  /** @returns the limit that a refusal names */
  report(choice: RouteChoice, outcome: RouteOutcome): LimitReport | null
  rests: Rests
}

export interface HealthDeps {
  clock: Clock
  settings(): { failures: number; coolDownSeconds: number }
  readLimit: ReadLimit
  /** called when something rests, or is back, that a person may want to hear of */
  onEvent(event: HealthEvent): void
  onChange(): void
}

interface Tracking extends HealthDeps {
  rests: Rests
  failures: ReturnType<typeof createFailures>
  /** when each call that is on its way was chosen */
  chosen: WeakMap<RouteChoice, number>
}

/** Tracks how providers, models and keys have done, and which of them rest for it. */
export function createHealth(deps: HealthDeps): Health {
  const { clock, readLimit, onChange } = deps
  const rests = createRests(clock)
  const chosen = new WeakMap<RouteChoice, number>()
  const health: Tracking = { ...deps, rests, failures: createFailures(), chosen }

  return {
    rests,
    provider: (named) => rests.of(providerName(named)),
    model: (named, model) => rests.of(modelName(named, model)),
    key: (choice, model) => {
      let standing = free
      for (const name of keyNames(choice, model)) standing = worst(standing, rests.of(name))
      return standing
    },
    claim(choice) {
      const moment = rests.moment()
      chosen.set(choice, moment)
      for (const name of namesOf(choice)) {
        if (rests.of(name).kind === 'free') continue
        rests.claim(name, moment)
        onChange()
      }
    },
    report(choice, outcome) {
      // The simulator is here and always well: the errors it plays are intended.
      if (choice.type === 'simulator')
        return 'headers' in outcome && outcome.status >= 400
          ? readLimit({ ...outcome, model: choice.upstreamModel, now: clock.now() })
          : null
      const [provider, model] = namesOf(choice)
      switch (outcome.kind) {
        case 'began':
          isBack(health, choice)
          return null
        case 'left':
          release(health, choice)
          return null
        case 'unreachable':
          if (outcome.code === 'upstream-aborted') release(health, choice)
          else failed(health, ofProvider.has(outcome.code) ? provider : model, choice)
          return null
        case 'answered':
        case 'refused': {
          const { status, headers, body } = outcome
          if (status >= 400) {
            const report =
              status === 429 || status === 402 || status === 403
                ? readLimit({ status, model: choice.upstreamModel, headers, body, now: clock.now() })
                : null
            refusedWith(health, choice, status, report)
            return report
          }
          // Only the client can retry here, and it should not have to wait as long again.
          if (outcome.kind === 'answered' && outcome.brokenOff) failed(health, model, choice, outcome.isMute)
          else {
            isBack(health, choice)
            good(health, provider, choice)
            good(health, model, choice)
          }
          return null
        }
      }
    },
  }
}

/** Failures that would meet any of its models. */
const ofProvider: ReadonlySet<string> = new Set([
  'upstream-redirected',
  'upstream-unreachable',
  'via-away',
  'via-missing',
  'via-no-key',
  'via-not-lent',
  'via-other-type',
])

/** True if the rest began while this call was on its way: the call's outcome is older than the rest's reason. */
const isOutdated = ({ rests, chosen }: Tracking, name: string, choice: RouteChoice) =>
  rests.restsSince(name, chosen.get(choice) ?? Infinity)

const namesOf = (choice: RouteChoice) =>
  [providerName(choice), modelName(choice, choice.upstreamModel), ...keyNames(choice, choice.upstreamModel)] as const

function begin(health: Tracking, name: string, choice: RouteChoice, rest: Rest, key: string | null) {
  const { rests, clock, onEvent, onChange } = health
  const was = rests.of(name)
  rests.begin(name, rest)
  // A failed trial is no news: it rested before, and it rests.
  if (was.kind === 'free' && (rest.why === 'failures' || rest.until - clock.now() >= NOTABLE_MS))
    onEvent({ kind: 'resting', provider: choice.providerId, key, rest })
  onChange()
}

function end(health: Tracking, name: string, choice: RouteChoice, key: string | null) {
  const rest = isOutdated(health, name, choice) ? null : health.rests.end(name)
  if (!rest) return
  health.onEvent({ kind: 'back', provider: choice.providerId, key, rest })
  health.onChange()
}

function failed(health: Tracking, name: string, choice: RouteChoice, isEnough = false) {
  const { rests, failures, settings, clock } = health
  const was = rests.of(name).kind
  // Sixty-four calls that fail together count as one failure, and only a failed trial makes the rest longer.
  if (was === 'resting' || isOutdated(health, name, choice)) return
  const count = failures.add(name)
  const { failures: most, coolDownSeconds } = settings()
  if (count < most && !isEnough && was === 'free') return
  const ms = Math.min(LONGEST_COOL_DOWN_MS, coolDownSeconds * 1000 * 2 ** Math.min(20, failures.rested(name) - 1))
  begin(health, name, choice, { why: 'failures', count, until: clock.now() + ms }, null)
}

function good(health: Tracking, name: string, choice: RouteChoice) {
  if (!isOutdated(health, name, choice)) health.failures.good(name)
}

function isBack(health: Tracking, choice: RouteChoice) {
  const [provider, model, ...keys] = namesOf(choice)
  for (const name of [provider, model]) end(health, name, choice, null)
  for (const key of keys) end(health, key, choice, choice.key?.alias ?? null)
}

/** An answer came, so provider and model work; the key is judged separately. */
function lives(health: Tracking, choice: RouteChoice) {
  const [provider, model] = namesOf(choice)
  for (const name of [provider, model]) {
    good(health, name, choice)
    end(health, name, choice, null)
  }
}

function release({ rests, chosen }: Tracking, choice: RouteChoice) {
  for (const name of namesOf(choice)) rests.release(name, chosen.get(choice) ?? 0)
}

function refusedWith(health: Tracking, choice: RouteChoice, status: number, report: LimitReport | null) {
  const model = modelName(choice, choice.upstreamModel)
  const key = subjectName(keyName(choice), report?.subject)
  const alias = choice.key?.alias ?? null
  const now = health.clock.now()
  if (status === 429 || report) {
    lives(health, choice)
    // A trial of the whole key says nothing when only one model of it is limited.
    release(health, choice)
    begin(health, key, choice, restOf(report, health.rests.of(key), now), alias)
  } else if (REFUSED_MS[status] !== undefined) {
    lives(health, choice)
    begin(health, key, choice, { why: 'refused', status, until: now + REFUSED_MS[status] }, alias)
  } else if (status >= 500 || status === 408) failed(health, model, choice)
  else lives(health, choice)
}

function restOf(report: LimitReport | null, before: Standing, now: number): Rest {
  const about = report?.subject === undefined ? {} : { subject: report.subject }
  const previous = before.kind === 'resting' ? before.rest : null
  if (report?.kind === 'limit') {
    const since = previous?.why === 'limit' ? previous.since : now
    if (report.lifts !== null || previous?.why !== 'limit' || previous.lifts === null)
      return {
        why: 'limit',
        window: report.window,
        since,
        lifts: report.lifts,
        until: report.lifts ?? now + LIMIT_MS,
        ...about,
      }
    return previous
  }
  const rest: Rest = {
    why: 'rate',
    until: report?.until ?? now + RATE_MS,
    told: (report?.until ?? null) !== null,
    ...about,
  }
  // Asked too fast within a rest whose time the provider gave: a refusal without a time does not shorten it.
  return (report?.until ?? null) === null &&
    previous &&
    (previous.why === 'rate' || previous.why === 'limit') &&
    previous.until > rest.until
    ? previous
    : rest
}

/** Counts failures in a row, and rests that followed on rests: each makes a provider's next cool-down longer. */
export interface Failures {
  /** @returns how many in a row */
  add(name: string): number
  /** how many rests in a row, this one included */
  rested(name: string): number
  good(name: string): void
}

function createFailures(): Failures {
  const rows = new Map<string, { failures: number; rests: number }>()
  const row = (name: string) => {
    const there = rows.get(name) ?? { failures: 0, rests: 0 }
    rows.set(name, there)
    return there
  }
  return {
    add: (name) => ++row(name).failures,
    rested: (name) => ++row(name).rests,
    good(name) {
      rows.delete(name)
    },
  }
}

/** A trial whose end was never reported is forgotten after this. */
const TRIAL_MS = 15 * 60_000

/** The state of something that may have to rest. `due`: its rest is over, and one request may try it. */
export type Standing =
  | { kind: 'free' }
  | { kind: 'resting'; rest: Rest; leftMs: number; askedAgoMs: number }
  | { kind: 'due'; rest: Rest }
  | { kind: 'on-trial'; rest: Rest }

interface Resting {
  rest: Rest
  until: number
  trial: { since: number; by: number } | null
  askedAt: number
  moment: number
}

/**
 * Tracks what rests, by name: providers, models, keys. A rest that is over ends with one trial, not with all requests
 * at once.
 */
interface Rests {
  of(name: string): Standing
  begin(name: string, rest: Rest): void
  /** a request goes there all the same, as its trial if there is none; `by` identifies the request */
  claim(name: string, by: number): void
  /** the call had no outcome; if it was the trial, another may try */
  release(name: string, by: number): void
  /** @returns the rest that is over, or null if there was none */
  end(name: string): Rest | null
  names(): IterableIterator<string>
  /** a moment to call `restsSince` with: finer than any clock */
  moment(): number
  /** true if it rests, and began to only after that moment */
  restsSince(name: string, moment: number): boolean
}

export const free: Standing = { kind: 'free' }
const severity: Record<Standing['kind'], number> = { free: 0, due: 1, 'on-trial': 2, resting: 3 }
export const worst = (a: Standing, b: Standing): Standing => (severity[b.kind] > severity[a.kind] ? b : a)

function createRests(clock: Clock): Rests {
  const all = new Map<string, Resting>()
  let moments = 0
  /**
   * A monotonic clock stands still while the machine sleeps, the wall clock may be set: the first of them to get there
   * ends a rest.
   */
  const leftOf = ({ rest, until }: Resting) => Math.min(until - clock.monotonic(), rest.until - clock.now())
  const isOnTrial = ({ trial }: Resting) => trial !== null && clock.monotonic() - trial.since < TRIAL_MS

  return {
    of(name) {
      const resting = all.get(name)
      if (!resting) return free
      const { rest, askedAt } = resting
      if (isOnTrial(resting)) return { kind: 'on-trial', rest }
      const leftMs = leftOf(resting)
      return leftMs > 0
        ? { kind: 'resting', rest, leftMs, askedAgoMs: clock.monotonic() - askedAt }
        : { kind: 'due', rest }
    },
    begin(name, rest) {
      const at = clock.monotonic()
      all.set(name, {
        rest,
        until: at + Math.max(0, rest.until - clock.now()),
        trial: null,
        askedAt: at,
        moment: ++moments,
      })
    },
    claim(name, by) {
      const resting = all.get(name)
      if (!resting) return
      resting.askedAt = clock.monotonic()
      // A request in the middle of the rest, because nothing else is left, is not yet the trial that ends it.
      if (leftOf(resting) <= 0 && !isOnTrial(resting)) resting.trial = { since: clock.monotonic(), by }
    },
    release(name, by) {
      const resting = all.get(name)
      if (resting?.trial?.by === by) resting.trial = null
    },
    end(name) {
      const resting = all.get(name)
      all.delete(name)
      return resting?.rest ?? null
    },
    names: () => all.keys(),
    moment: () => ++moments,
    restsSince: (name, moment) => (all.get(name)?.moment ?? 0) > moment,
  }
}
