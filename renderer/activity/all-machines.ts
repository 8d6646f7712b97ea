/** Figures of several machines as those of one. Pure; what is not known of a machine is left out before. */
import {
  addSpent,
  noneSpent,
  spendInto,
  type CostBucket,
  type CostCell,
  type CostView,
} from '../../shared/cost/cost.ts'
import { noSums, spanKinds, type ReportView, type SpanSums } from '../../shared/report.ts'
import type { ActivityBucket, ActivityView } from '../../shared/state.ts'
import type { OfMachine } from '../state/place.ts'

/** What one machine answered; without a name this one. */
export interface MachineAnswer<View> extends OfMachine {
  view: View
}

interface Stretch {
  at: number
  ms: number
}

/** Days of another zone begin at other instants: each counts to the one that has its middle, and nothing is lost. */
function placeOf(into: readonly Stretch[], { at, ms }: Stretch): number {
  const found = into.findIndex((one) => at + ms / 2 < one.at + one.ms)
  return found < 0 ? into.length - 1 : found
}

/** Turns, tokens and costs are summed; a median of several medians is none, so there is no time to the first byte. */
export function sumActivity(all: readonly ActivityView[]): ActivityView | null {
  const [first, ...others] = all
  if (!first || others.length === 0) return first ?? null
  const buckets = first.buckets.map((bucket) => ({ ...bucket, ttfb: null }))
  for (const { buckets: more } of others)
    for (const one of more) {
      const place = placeOf(buckets, one)
      const into = buckets[place]
      if (into) buckets[place] = { ...plus(into, one), ttfb: null }
    }
  return { hours: first.hours, buckets, total: others.reduce((sum, { total }) => plus(sum, total), first.total) }
}

const plus = (a: ActivityBucket, b: ActivityBucket): ActivityBucket =>
  spendInto<ActivityBucket>(
    {
      at: a.at,
      ms: a.ms,
      continued: a.continued + b.continued,
      byPerson: a.byPerson + b.byPerson,
      failed: a.failed + b.failed,
      input: a.input + b.input,
      cachedInput: a.cachedInput + b.cachedInput,
      output: a.output + b.output,
      costUsd: null,
      ttfb: null,
    },
    a,
    b,
  )

/** Costs of which each part and each cell says its machine. */
export interface ShownCosts extends Omit<CostView, 'buckets' | 'cells'> {
  buckets: readonly (Omit<CostBucket, 'parts'> & { parts: readonly (CostBucket['parts'][number] & OfMachine)[] })[]
  cells: readonly (CostCell & OfMachine)[]
  /** by machine: names of its sessions */
  namesAt: ReadonlyMap<string | undefined, CostView['names']>
}

export function joinCosts(all: readonly MachineAnswer<CostView>[]): ShownCosts | null {
  const [first, ...others] = all
  if (!first) return null
  const marked = <T extends object>(machine: string | undefined, parts: readonly T[]): (T & OfMachine)[] =>
    parts.map((part) => ({ ...part, ...(machine !== undefined && { machine }) }))
  const buckets = first.view.buckets.map((bucket) => ({ ...bucket, parts: marked(first.machine, bucket.parts) }))
  for (const { machine, view } of others)
    for (const bucket of view.buckets) buckets[placeOf(buckets, bucket)]?.parts.push(...marked(machine, bucket.parts))
  return {
    days: first.view.days,
    buckets,
    cells: all.flatMap(({ machine, view }) => marked(machine, view.cells)),
    names: first.view.names,
    namesAt: new Map(all.map(({ machine, view }) => [machine, view.names])),
  }
}

type Marked<T> = {
  [K in keyof T]: T[K] extends readonly (infer One extends object)[] ? readonly (One & OfMachine)[] : T[K]
}
/** A report whose sessions and troubles say their machine. */
export type ShownReport = Marked<ReportView>

/** @param byMachine else those first, on whichever machine, that need a person */
export function joinReports(all: readonly MachineAnswer<ReportView>[], byMachine = false): ShownReport | null {
  const [first] = all
  if (!first) return null
  if (all.length === 1 && first.machine === undefined) return first.view
  const of = <T extends object>(read: (view: ReportView) => readonly T[]): (T & OfMachine)[] =>
    all.flatMap(({ machine, view }) => read(view).map((one) => ({ ...one, machine })))
  const sum = (read: (total: ReportView['total']) => number): number =>
    all.reduce((whole, { view }) => whole + read(view.total), 0)
  const diffs = all.flatMap(({ view }) => view.total.diff ?? [])
  const diff = (read: (one: (typeof diffs)[number]) => number) => diffs.reduce((whole, one) => whole + read(one), 0)
  return {
    since: Math.min(...all.map(({ view }) => view.since)),
    from: Math.min(...all.map(({ view }) => view.from)),
    until: Math.max(...all.map(({ view }) => view.until)),
    sessions: of(({ sessions }) => sessions).toSorted((a, b) =>
      byMachine ? 0 : Number(b.needsYou) - Number(a.needsYou),
    ),
    outages: of(({ outages }) => outages),
    limits: of(({ limits }) => limits),
    stalls: of(({ stalls }) => stalls),
    recoveries: of(({ recoveries }) => recoveries),
    revivals: of(({ revivals }) => revivals),
    total: {
      sums: all.reduce<SpanSums>((sums, { view }) => addSums(sums, view.total.sums), noSums),
      turns: sum(({ turns }) => turns),
      rounds: sum(({ rounds }) => rounds),
      followups: {
        sent: sum(({ followups }) => followups.sent),
        confirmed: sum(({ followups }) => followups.confirmed),
      },
      alarms: sum(({ alarms }) => alarms),
      checks: { passed: sum(({ checks }) => checks.passed), all: sum(({ checks }) => checks.all) },
      diff:
        diffs.length === 0
          ? null
          : {
              files: diff(({ files }) => files),
              added: diff(({ added }) => added),
              removed: diff((one) => one.removed),
            },
      spent: all.reduce((spent, { view }) => addSpent(spent, view.total.spent), noneSpent),
    },
  }
}

const addSums = (a: SpanSums, b: SpanSums): SpanSums =>
  Object.fromEntries(spanKinds.map((kind) => [kind, a[kind] + b[kind]])) as Record<(typeof spanKinds)[number], number>
