import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { providerOfTarget } from '../../../shared/outage.ts'
import type { ReportLimit, ReportOutage } from '../../../shared/report.ts'

type TurnEnded = Extract<EventBody, { type: 'turn-ended' }>

export type Outage = Omit<ReportOutage, 'sessions' | 'lostMs'>
export type Limit = Omit<ReportLimit, 'sessions' | 'lostMs'>

export interface Troubles {
  /** by `provider.model`; those of one follow each other */
  outages: ReadonlyMap<string, readonly Outage[]>
  limits: readonly Limit[]
}

interface Failed {
  target: string
  cause: string
  at: number
}

/** Calls of a turn that failed because a provider was down or overloaded, not because of a wrong request. */
export function failedCalls({ body, at }: { body: TurnEnded; at: number }): readonly Failed[] {
  const { tried = [], route, finish, status, clientLeft, error, durationMs } = body
  const began = at - durationMs
  const last =
    route !== null && !clientLeft && (finish === 'error' || finish === 'broken-off')
      ? [
          status < 400
            ? { ...route, status: null, code: error?.code ?? 'upstream-broke-off', at }
            : { ...route, status, code: String(status), at: began },
        ]
      : []
  return [...tried.map((one) => ({ ...one, at: began })), ...last]
    .filter(({ status: of, code }) => (of === null ? code !== 'upstream-aborted' : of >= 500 || of === 408))
    .map((one) => ({ target: `${one.provider}.${one.model}`, cause: String(one.status ?? one.code), at: one.at }))
}

/** The model that answered; null: none did. */
const answeredBy = ({ route, finish, status }: TurnEnded): string | null =>
  route !== null && status < 400 && finish !== 'error' && finish !== 'broken-off'
    ? `${route.provider}.${route.model}`
    : null

type Growing = { -readonly [K in keyof Outage]: Outage[K] } & { causes: Map<string, number> }

/** How providers failed and came back, and their limits, from what turns and probes met. `events` oldest first. */
export function foldTroubles(events: readonly TimelineEvent[]): Troubles {
  const outages = new Map<string, Growing[]>()
  const limits: { -readonly [K in keyof Limit]: Limit[K] }[] = []
  const close = (target: string, at: number) => {
    const outage = outages.get(target)?.at(-1)
    // An answer that had begun before the outage proves nothing.
    if (outage?.until === null && at >= outage.from) outage.until = at
  }
  const failed = ({ target, cause, at }: Failed) => {
    const all = outages.get(target) ?? []
    outages.set(target, all)
    const last = all.at(-1)
    const outage = last?.until === null ? last : begun(target, Math.max(at, last?.until ?? at))
    if (outage !== last) all.push(outage)
    outage.failed += 1
    outage.causes.set(cause, (outage.causes.get(cause) ?? 0) + 1)
  }
  for (const { body, at } of events) {
    if (body.type === 'turn-ended') {
      failedCalls({ body, at }).forEach(failed)
      const answered = answeredBy(body)
      if (answered !== null) close(answered, at - body.durationMs)
    } else if (body.type === 'provider-resting' && body.rest.why === 'limit') {
      const { since, lifts, subject = null } = body.rest
      const known = limits.find(
        (one) =>
          one.until === null &&
          one.provider === body.provider &&
          one.key === body.key &&
          one.subject?.name === subject?.name &&
          (one.resets === null || one.resets > at),
      )
      if (known) known.resets = lifts ?? known.resets
      else limits.push({ provider: body.provider, key: body.key, subject, from: since, until: null, resets: lifts })
    } else if (body.type === 'provider-back') {
      for (const limit of limits)
        if (limit.until === null && limit.provider === body.provider && limit.key === body.key) limit.until = at
      if (body.key === null)
        for (const target of outages.keys()) if (providerOfTarget(target) === body.provider) close(target, at)
    }
  }
  return {
    outages: new Map(
      [...outages].map(([target, all]) => [
        target,
        all.map(({ causes, ...outage }) => ({ ...outage, cause: mostFrequent(causes) })),
      ]),
    ),
    limits: limits.map(over),
  }
}

function begun(target: string, from: number): Growing {
  const provider = providerOfTarget(target)
  const models = [target.slice(provider.length + 1)]
  return { provider, models, from, until: null, cause: '', failed: 0, causes: new Map() }
}

/** The one that went on at a time; `outages` follow each other. */
export function outageAt<One extends Pick<Outage, 'from' | 'until'>>(
  outages: readonly One[],
  at: number,
): One | undefined {
  let [low, high] = [0, outages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((outages[middle]?.from ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  const found = outages[low - 1]
  return found && (found.until ?? Infinity) >= at ? found : undefined
}

/** A limit lifts at its stated time, whether or not a new request is made. */
const over = (limit: Limit): Limit =>
  limit.resets !== null && (limit.until === null || limit.until > limit.resets)
    ? { ...limit, until: Math.max(limit.from, limit.resets) }
    : limit

const mostFrequent = (causes: ReadonlyMap<string, number>): string =>
  [...causes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''

/** By provider: models of it that failed at the same time are one outage. They follow each other. */
export function mergedOutages({ outages }: Troubles): ReadonlyMap<string, readonly Outage[]> {
  const merged = new Map<string, { -readonly [K in keyof Outage]: Outage[K] }[]>()
  const weight = new Map<object, number>()
  for (const one of [...outages.values()].flat().toSorted((a, b) => a.from - b.from)) {
    const all = merged.get(one.provider) ?? []
    merged.set(one.provider, all)
    let same = all.at(-1)
    if (!same || (same.until !== null && same.until < one.from)) {
      same = { ...one, failed: 0 }
      all.push(same)
    }
    same.models = [...new Set([...same.models, ...one.models])]
    same.until = same.until === null || one.until === null ? null : Math.max(same.until, one.until)
    same.failed += one.failed
    if (one.failed > (weight.get(same) ?? 0)) {
      same.cause = one.cause
      weight.set(same, one.failed)
    }
  }
  return merged
}
