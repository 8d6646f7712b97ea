import { asksForPerson } from '../../../shared/asks-for-person.ts'
import { addSpent, noneSpent, spendOf, tokensOf, type Spent } from '../../../shared/cost/cost.ts'
import type { TimelineEvent } from '../../../shared/events.ts'
import {
  addSums,
  noSums,
  type ReportDiff,
  type ReportOutage,
  type ReportRecovery,
  type ReportRevival,
  type ReportStall,
  type ReportView,
  type SessionReport,
  type Span,
  type SpanKind,
  type SpanSums,
} from '../../../shared/report.ts'
import type { SessionView } from '../../../shared/state.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { foldTroubles, mergedOutages, outageAt, type Outage, type Troubles } from './outages.ts'
import { foldSpans } from './session-spans.ts'

export interface ReportInput {
  /** oldest first; those before `since` show how sessions stood then */
  events: readonly TimelineEvent[]
  /** no event before is kept */
  recordsFrom: number
  since: number
  until: number
  sessions: readonly SessionView[]
}

/** A shorter time that ended by itself is not worth reporting. */
const NOTABLE_MS = 60_000
const MOMENT_MS = 5

/** Everything that the records of a time show. Pure. */
export function foldReport(input: ReportInput): ReportView {
  const steps = reportSteps(input)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** events between two steps: some milliseconds' worth */
const STEP = 500

/** The same in steps, for an event loop that others wait for. */
export function* reportSteps({
  events,
  recordsFrom,
  since,
  until,
  sessions,
}: ReportInput): Generator<void, ReportView, void> {
  const from = Math.min(until, Math.max(since, recordsFrom))
  const troubles = foldTroubles(events)
  const begin = Math.min(from, events[0]?.at ?? from)
  const folds = new Map(
    sessions.map((session) => [
      session.id,
      { session, spans: foldSpans(session.id, begin, troubles), facts: sessionFacts() },
    ]),
  )
  const all = { spent: noneSpent, sent: 0, confirmed: 0, alarms: 0 }
  let alive = begin
  for (const [i, event] of events.entries()) {
    if (i % STEP === 0) yield
    const { body, at, sessionId } = event
    if (at > until) break
    if (sessionId !== null) folds.get(sessionId)?.spans.add(event, alive)
    else if (body.type === 'engine' || body.type === 'paused' || body.type === 'resumed')
      for (const { spans } of folds.values()) spans.add(event, alive)
    alive = at
    if (sessionId !== null) folds.get(sessionId)?.facts.add(event, at >= from)
    if (at < from) continue
    if (body.type === 'turn-ended') all.spent = addSpent(all.spent, spentOf(body))
    if (body.type === 'submitted') all.sent += 1
    if (body.type === 'confirmed') all.confirmed += 1
    if (body.type === 'alarm-delivered') all.alarms += body.taskIds.length
  }

  yield
  const reports: SessionReport[] = []
  const stalls: ReportStall[] = []
  const recoveries: ReportRecovery[] = []
  const revivals: ReportRevival[] = []
  for (const { session, spans: fold, facts } of folds.values()) {
    const found = fold.end(until)
    const began = Math.min(until, Math.max(from, session.startedAt))
    const spans = clipped(found.spans, began, until)
    const report = { ...facts.of(session), from: began, spans, sums: sumsOf(spans) }
    revivals.push(...found.revivals.filter(({ at }) => at >= from))
    if (!report.needsYou && report.turns === 0 && spans.every(({ kind }) => quiet.has(kind))) continue
    reports.push(report)
    stalls.push(...found.stalls.filter((stall) => (stall.until ?? until) > from))
    recoveries.push(...found.recoveries.filter((one) => one.until >= from && isNotable(one)))
  }
  reports.sort((a, b) => rank(a) - rank(b) || b.sums.working - a.sums.working || a.name.localeCompare(b.name))

  const outages = outagesOf(troubles, reports, recoveries, from, until)
  const limits = troubles.limits
    .filter((limit) => isWithin(limit, from, until))
    .map((limit) => ({ ...limit, ...lostOf(lostTo(limit, reports, until)) }))
  const checks = reports.flatMap((report) => report.checks)
  return {
    since,
    from,
    until,
    sessions: reports,
    outages,
    limits,
    stalls: stalls.toSorted((a, b) => a.from - b.from),
    recoveries: recoveries.toSorted((a, b) => a.until - b.until),
    revivals: revivals.toSorted((a, b) => a.at - b.at),
    total: {
      sums: reports.reduce((sum, { sums }) => addSums(sum, sums), noSums),
      turns: reports.reduce((sum, { turns }) => sum + turns, 0),
      rounds: reports.reduce((sum, { rounds }) => sum + (rounds?.here ?? 0), 0),
      followups: { sent: all.sent, confirmed: all.confirmed },
      alarms: all.alarms,
      checks: { passed: checks.filter(({ outcome }) => outcome === 'passed').length, all: checks.length },
      diff: null,
      spent: all.spent,
    },
  }
}

/** `diffs`: by folder */
export function withDiffs(report: ReportView, diffs: ReadonlyMap<string, ReportDiff>): ReportView {
  const sum = [...diffs.values()].reduce<ReportDiff | null>(
    (all, { files, added, removed }) => ({
      files: (all?.files ?? 0) + files,
      added: (all?.added ?? 0) + added,
      removed: (all?.removed ?? 0) + removed,
    }),
    null,
  )
  return {
    ...report,
    sessions: report.sessions.map((one) => ({ ...one, diff: one.cwd === null ? null : (diffs.get(one.cwd) ?? null) })),
    total: { ...report.total, diff: sum },
  }
}

/** A session that did nothing else has nothing to report. */
const quiet: ReadonlySet<SpanKind> = new Set(['idle', 'closed', 'paused', 'off'])

const shapes: readonly SessionShape[] = ['needs', 'failed', 'held', 'working', 'paused', 'done', 'idle', 'gone']
const rank = ({ needsYou, now }: SessionReport): number => (needsYou ? 0 : 10) + shapes.indexOf(now.shape)

const isNotable = ({ by, from, until }: ReportRecovery): boolean => by === 'onward' || until - from >= NOTABLE_MS

type Facts = Omit<SessionReport, 'from' | 'spans' | 'sums'>

/** A session's facts beside its time. */
function sessionFacts(): { add(event: TimelineEvent, counts: boolean): void; of(session: SessionView): Facts } {
  let turns = 0
  let rounds: SessionReport['rounds'] = null
  let asked: string | null = null
  let claims: SessionReport['claims'] = null
  let reviewed: SessionReport['reviewed'] = null
  let spent = noneSpent
  const checks = new Map<string, SessionReport['checks'][number]>()
  const ran = ({ name, outcome, say, at }: SessionReport['checks'][number]) => {
    if ((checks.get(name)?.at ?? 0) <= at) checks.set(name, { name, outcome, say, at })
  }
  return {
    add({ body, at }, counts) {
      // It may have been asked for in an earlier event.
      if (body.type === 'armed' || (body.type === 'queued' && body.source === 'user')) asked = body.text
      if (!counts) return
      switch (body.type) {
        case 'turn-ended':
          if (body.turn !== null) turns += 1
          spent = addSpent(spent, spentOf(body))
          return
        case 'matched':
          if (body.did && body.did.text !== '') claims = { text: body.did.text, at }
          return
        case 'used':
          rounds = { here: (rounds?.here ?? 0) + 1, used: body.used, max: body.max }
          return
        case 'review-done': {
          const { review } = body
          spent = addSpent(spent, { ...review, tokens: tokensOf(review.usage) })
          review.checks.forEach(ran)
          if (review.outcome.code !== 'discarded' && review.say !== '') reviewed = { text: review.say, at }
          return
        }
        case 'check-ran':
          return ran(body.run)
        default:
      }
    },
    of(session) {
      const { stopMessage, lastStopMessage } = session
      return {
        id: session.id,
        name: session.name,
        client: session.client,
        cwd: session.cwd,
        asked: stopMessage?.text ?? asked ?? lastStopMessage?.text ?? null,
        turns,
        rounds: stopMessage ? { here: rounds?.here ?? 0, used: stopMessage.used, max: stopMessage.max } : rounds,
        claims,
        reviewed,
        checks: [...checks.values()],
        diff: null,
        spent,
        now: { shape: session.shape, say: session.say },
        needsYou: asksForPerson(session),
      }
    },
  }
}

function spentOf(body: Extract<TimelineEvent['body'], { type: 'turn-ended' }>): Spent {
  const usage = body.kind === 'count' ? null : body.usage
  const spend = spendOf({ kind: body.kind, usage, costUsd: body.costUsd ?? null, price: body.price })
  return { ...spend, tokens: tokensOf(usage) }
}

/** `spans` reach over all of the time that is wanted. */
const clipped = (spans: readonly Span[], from: number, until: number): readonly Span[] =>
  spans
    .filter((span) => span.until > from && span.from < until)
    .map((span) => ({ ...span, from: Math.max(from, span.from), until: Math.min(until, span.until) }))

function sumsOf(spans: readonly Span[]): SpanSums {
  const sums: Record<SpanKind, number> = { ...noSums }
  for (const { kind, from, until } of spans) sums[kind] += until - from
  return sums
}

type Trouble = { provider: string; from: number; until: number | null }

const isWithin = (trouble: Trouble, from: number, until: number): boolean =>
  trouble.from < until && (trouble.until ?? until) >= from

/** ms of the span that fall into the trouble */
const overlap = (span: Span, trouble: Trouble, now: number): number =>
  Math.max(0, Math.min(span.until, trouble.until ?? now) - Math.max(span.from, trouble.from))

const lostOf = (lost: ReadonlyMap<string, number>) => ({
  sessions: [...lost.keys()],
  lostMs: [...lost.values()].reduce((sum, ms) => sum + ms, 0),
})

/** The time each session waited for a limit; limits are few. */
function lostTo(limit: Trouble, reports: readonly SessionReport[], now: number): ReadonlyMap<string, number> {
  const lost = new Map<string, number>()
  for (const { id, spans } of reports)
    for (const span of spans) {
      const ms = span.kind === 'limit' && span.provider === limit.provider ? overlap(span, limit, now) : 0
      if (ms > 0) lost.set(id, (lost.get(id) ?? 0) + ms)
    }
  return lost
}

/**
 * Outages worth reporting, with what they cost. A provider that fails now and then has very many: each span and each
 * recovery looks for its own.
 */
function outagesOf(
  troubles: Troubles,
  reports: readonly SessionReport[],
  recoveries: readonly ReportRecovery[],
  from: number,
  now: number,
): readonly ReportOutage[] {
  const merged = mergedOutages(troubles)
  const lost = new Map<Outage, Map<string, number>>()
  const told = new Set<Outage>()
  for (const { id, spans } of reports)
    for (const span of spans) {
      // It lies within one, except for the moment between a request and the event that it began.
      const middle = (span.from + span.until) / 2
      const outage = span.kind === 'outage' ? outageAt(merged.get(span.provider ?? '') ?? [], middle) : undefined
      const ms = outage ? overlap(span, outage, now) : 0
      if (!outage || ms <= 0) continue
      const ofSessions = lost.get(outage) ?? new Map<string, number>()
      lost.set(outage, ofSessions.set(id, (ofSessions.get(id) ?? 0) + ms))
      if (outage.until === null) told.add(outage)
    }
  for (const one of recoveries) {
    const within = Math.min(one.until, one.from + MOMENT_MS)
    const outage = one.why === 'outage' ? outageAt(merged.get(one.provider) ?? [], within) : undefined
    if (outage) told.add(outage)
  }
  return [...merged.values()]
    .flat()
    .filter(
      (outage) =>
        isWithin(outage, from, now) && ((outage.until ?? now) - outage.from >= NOTABLE_MS || told.has(outage)),
    )
    .map((outage) => ({ ...outage, ...lostOf(lost.get(outage) ?? new Map()) }))
    .toSorted((a, b) => a.from - b.from)
}
