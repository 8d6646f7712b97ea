/** A report as one reads it in the morning: what stands, each session, what went wrong. */
import {
  shareOf,
  spanKinds,
  wholeOf,
  type ReportDiff,
  type ReportView,
  type SessionReport,
  type SpanKind,
  type SpanSums,
} from '../../../shared/report.ts'
import { shapeGlyphs, type Sentences } from '../../../shared/sentences/index.ts'
import { oneLine } from './clean.ts'
import { facts } from './columns.ts'
import { plural, type Words } from './print.ts'
import { cut } from './width.ts'

const kinds: Readonly<Record<SpanKind, string>> = {
  working: 'working',
  followup: 'a followup was due',
  person: 'waited for you',
  outage: 'provider down',
  limit: 'at a limit',
  stalled: 'stalled',
  paused: 'paused',
  closed: 'closed',
  off: 'Onward off',
  idle: 'nothing to do',
}

export function reportText(report: ReportView, words: Words, sentences: Sentences): string {
  const { style, columns } = words
  const { figures } = sentences
  const { since, from, until, total, sessions } = report
  const spent = [
    plural(total.rounds, 'round'),
    plural(total.turns, 'turn'),
    ...(total.spent.tokens > 0 ? [sentences.used(total.spent)] : []),
  ]
  const whole = wholeOf(total.sums)
  const head = [
    style.strong(`Since ${figures.instant(from)}, ${figures.span(until - from)}`),
    ...(from > since ? [`No record is older: ${figures.instant(since)} was asked for.`] : []),
    ...(sessions.length === 0
      ? ['No session did anything in this time.']
      : [
          `${standing(sessions)}.`,
          `Worked ${figures.sum(total.sums.working)} of ${figures.sum(whole)}, ` +
            `${shareOf(total.sums.working, whole)}%. ${spent.join(', ')}.`,
        ]),
  ]
  const parts = [
    `${head.join('\n')}\n`,
    ...sessions.map((one) => sessionText(one, until, words, sentences)),
    ...(troubles(report, sentences).length === 0
      ? []
      : [
          `${style.strong('Outages, limits and stalls')}\n${troubles(report, sentences)
            .map((line) => `  ${cut(oneLine(line), columns - 2)}\n`)
            .join('')}`,
        ]),
  ]
  return parts.join('\n')
}

function standing(sessions: readonly SessionReport[]): string {
  const needs = sessions.filter(({ needsYou }) => needsYou).length
  const done = sessions.filter(({ needsYou, now }) => !needsYou && now.shape === 'done').length
  const others = sessions.length - needs - done
  return [
    ...(needs > 0 ? [`${plural(needs, 'session')} ${needs === 1 ? 'needs' : 'need'} you`] : []),
    ...(done > 0 ? [`${done} ${done === 1 ? 'is' : 'are'} done`] : []),
    ...(others > 0 ? [`${others} ${others === 1 ? 'goes on or waits' : 'go on or wait'}`] : []),
  ].join(', ')
}

function sessionText(one: SessionReport, now: number, { style, columns }: Words, sentences: Sentences): string {
  const { figures } = sentences
  const { shape, say } = one.now
  const wide = Math.max(20, columns - 12)
  const line = (label: string, text: string | null): readonly (readonly [string, string])[] =>
    text === null || text === '' ? [] : [[label, cut(oneLine(text), wide)]]
  const checks = one.checks.map(({ name, outcome, say: result }) => sentences.checkRan({ name, outcome, say: result }))
  const did = [
    plural(one.turns, 'turn'),
    ...(one.rounds ? [`${plural(one.rounds.here, 'round')} (${one.rounds.used}/${one.rounds.max ?? '∞'} in all)`] : []),
    ...(one.diff ? [diffText(one.diff)] : []),
    ...(one.spent.tokens > 0 ? [sentences.used(one.spent)] : []),
  ]
  return [
    `${style.shape(shape, shapeGlyphs[shape])} ${style.strong(oneLine(one.name))}  ${style.quiet(one.client)}\n`,
    facts(
      [
        ...line('now', sentences.say(say, now)),
        ...line('asked', one.asked),
        ...line('claims', one.claims?.text ?? null),
        ...line('reviewer', one.reviewed?.text ?? null),
        ...checks.flatMap((text, i) => line(i === 0 ? 'checks' : '', text)),
        ...line('did', figures.list(did)),
        ...line('time', timeText(one.sums, sentences)),
      ],
      style.quiet,
    ),
  ].join('')
}

const diffText = ({ files, added, removed }: ReportDiff): string => `+${added} −${removed} in ${plural(files, 'file')}`

function timeText(sums: SpanSums, { figures }: Sentences): string {
  const whole = wholeOf(sums)
  const parts = spanKinds.filter((kind) => sums[kind] > 0).map((kind) => `${kinds[kind]} ${figures.span(sums[kind])}`)
  return `worked ${shareOf(sums.working, whole)}%: ${figures.list(parts)}`
}

/** In the order they began. */
function troubles(
  { outages, limits, stalls, recoveries, revivals, sessions, until }: ReportView,
  sentences: Sentences,
) {
  const { figures } = sentences
  const names = new Map(sessions.map(({ id, name }) => [id, name]))
  const hit = (ids: readonly string[], lostMs: number) =>
    ids.length === 0 ? '' : `, ${plural(ids.length, 'session')} waited ${figures.sum(lostMs)}`
  const lines = [
    ...outages.map((one) => ({
      at: one.from,
      text:
        `${one.provider}/${one.models.join(', ')} failed ${span(one, until, sentences)}: ` +
        `${sentences.callFailure(one.cause)}${hit(one.sessions, one.lostMs)}`,
    })),
    ...limits.map((one) => ({
      at: one.from,
      text:
        `${one.provider}${one.key === null ? '' : `, key ${one.key}`}${one.subject ? `, ${one.subject.name}` : ''} ` +
        `at its limit ${span(one, until, sentences)}${hit(one.sessions, one.lostMs)}`,
    })),
    ...stalls.map((one) => ({
      at: one.from,
      text: `${names.get(one.session) ?? one.session} stalled ${span(one, until, sentences)}`,
    })),
    ...recoveries.map((one) => ({
      at: one.until,
      text: `${names.get(one.session) ?? one.session} went on${one.by === 'onward' ? ' by Onward’s word' : ''}`,
    })),
    ...revivals.map(({ session, at, exitCode, signal }) => ({
      at,
      text:
        `${names.get(session) ?? session} ended by itself (${signal ?? `code ${exitCode ?? 'unknown'}`}) ` +
        'and was started again',
    })),
  ]
  return lines.toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${figures.minute(at)}  ${text}`)
}

const span = ({ from, until }: { from: number; until: number | null }, now: number, { figures }: Sentences): string =>
  until === null
    ? `since ${figures.minute(from)}, for ${figures.span(now - from)}`
    : until > now
      ? `until ${figures.minute(until)}`
      : `until ${figures.minute(until)}, ${figures.span(until - from)}`
