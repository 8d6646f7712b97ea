import type { ReactNode } from 'react'
import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import type { Words } from '../i18n/index.ts'
import { shareOf, wholeOf } from '../../shared/report.ts'
import type { OfMachine } from '../state/place.ts'
import type { ShownReport } from './all-machines.ts'
import type { SessionShape } from '../../shared/words.ts'
import { Diff } from './report-session.tsx'

/** All sessions together, and what went wrong. */
export function ReportSide({ report }: { report: ShownReport }) {
  const words = useWords()
  const { w, f } = words
  const r = w.report
  const { sums, rounds, turns, checks, diff, spent, followups, alarms } = report.total
  const whole = wholeOf(sums)
  const troubled = sums.outage + sums.limit + sums.stalled
  const cost = f.cost(spent)
  const all = troublesOf(report, words)
  // A provider that fails now and then has very many: the longest are shown, in their order.
  const longest = all.length > most ? (all.toSorted((a, b) => b.ms - a.ms)[most - 1]?.ms ?? 0) : 0
  const rows = all.filter(({ ms }) => ms >= longest).slice(0, most)
  return (
    <aside className="rep-s" aria-label={r.totals}>
      <section className="tot-b">
        <h2>{r.totals}</h2>
        <dl className="tot">
          <Row term={r.workedOf(f.sum(whole))}>{r.share(f.sum(sums.working), shareOf(sums.working, whole))}</Row>
          {sums.person > 0 && <Row term={r.waited}>{f.sum(sums.person)}</Row>}
          {troubled > 0 && <Row term={r.troubled}>{f.sum(troubled)}</Row>}
          {sums.followup > 0 && <Row term={r.followupsDue}>{f.sum(sums.followup)}</Row>}
          {sums.off > 0 && <Row term={r.kinds.off}>{f.sum(sums.off)}</Row>}
          <Row term={r.rest}>{f.sum(sums.idle + sums.paused + sums.closed)}</Row>
          <div className="sum" />
          <Row term={r.total.rounds}>{rounds}</Row>
          <Row term={r.total.turns}>{turns}</Row>
          {checks.all > 0 && <Row term={r.total.checks}>{r.of(checks.passed, checks.all)}</Row>}
          {diff && (
            <Row term={r.total.lines}>
              <Diff diff={diff} />
            </Row>
          )}
          {followups.sent > 0 && <Row term={r.total.followups}>{r.of(followups.confirmed, followups.sent)}</Row>}
          {alarms > 0 && <Row term={r.total.alarms}>{alarms}</Row>}
          <Row term={r.total.tokens}>{f.tokens(spent.tokens)}</Row>
          {cost !== null && <Row term={r.total.cost}>{cost}</Row>}
        </dl>
      </section>
      <section>
        <h2>{r.troubles}</h2>
        {rows.length === 0 ? (
          <p className="meta">{r.noTroubles}</p>
        ) : (
          <ul className="ev">
            {rows.map(({ at, shape, text, note }) => (
              <li key={`${at} ${text}`}>
                <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
                  {f.minute(at)}
                </time>
                <Shape shape={shape} />
                <span>
                  {text}
                  <span className="meta">{note}</span>
                </span>
              </li>
            ))}
            {all.length > rows.length && <li className="meta">{w.cost.more(all.length - rows.length)}</li>}
          </ul>
        )}
      </section>
    </aside>
  )
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}

const DAY = 24 * 3_600_000
/** as many as one reads */
const most = 40

interface Trouble {
  at: number
  /** how long it took */
  ms: number
  shape: SessionShape
  text: string
  note: string
}

/** In the order they began, or were over. */
function troublesOf(
  { outages, limits, stalls, recoveries, revivals, sessions, until: now }: ShownReport,
  { w, s, f }: Words,
): readonly Trouble[] {
  const r = w.report
  const nameOf = (id: string, { machine }: OfMachine) =>
    sessions.find((one) => one.id === id && one.machine === machine)?.name ?? id
  /** where it was, after what else there is to say */
  const at = ({ machine }: OfMachine, ...said: readonly string[]) => f.list([...said, ...(machine ? [machine] : [])])
  const hit = (ids: readonly string[], lostMs: number) =>
    ids.length === 0 ? r.hitNone : r.hit(ids.length, f.sum(lostMs))
  // Within a day a time says it all.
  const time = (at: number) => (Math.abs(now - at) < DAY ? f.minute(at) : f.minuteOfDay(at, now))
  const minute = (at: number | null) => (at === null ? null : time(at))
  return [
    ...outages.map((one) => ({
      at: one.from,
      ms: (one.until ?? now) - one.from,
      shape: 'failed' as const,
      text: r.failed(`${one.provider}/${one.models.join(', ')}`, time(one.from), minute(one.until)),
      note: at(one, r.because(capital(s.callFailure(one.cause)), hit(one.sessions, one.lostMs))),
    })),
    ...limits.map((one) => ({
      at: one.from,
      ms: (one.until ?? now) - one.from,
      shape: 'paused' as const,
      text: r.limit(one.key === null ? one.provider : r.key(one.provider, one.key), minute(one.until ?? one.resets)),
      note: at(one, hit(one.sessions, one.lostMs)),
    })),
    ...stalls.map((one) => ({
      at: one.from,
      ms: (one.until ?? now) - one.from,
      shape: 'idle' as const,
      text: r.stalled(nameOf(one.session, one), f.span((one.until ?? now) - one.from), one.until === null),
      note: at(one),
    })),
    ...recoveries.map((one) => ({
      at: one.until,
      ms: one.until - one.from,
      shape: 'done' as const,
      text: r.wentOn(nameOf(one.session, one), f.span(one.until - one.from)),
      note: at(one, one.by === 'onward' ? r.byOnward : r.byOther),
    })),
    ...revivals.map((one) => ({
      at: one.at,
      // few, and each of them is shown
      ms: DAY,
      shape: 'done' as const,
      text: r.revived(nameOf(one.session, one)),
      note: at(one, one.signal ?? r.exitCode(one.exitCode)),
    })),
  ].toSorted((a, b) => a.at - b.at)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
