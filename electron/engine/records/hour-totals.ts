import { z } from 'zod'
import { spendInto, spendOf, type Spend } from '../../../shared/cost/cost.ts'
import type { ActivityBucket, ActivityView, TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { writeLater } from '../base/work.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'
import { spendShape, tokensShape } from './kept-sums.ts'

export interface Hours extends Disposable {
  /** there was no file yet: the records of earlier turns have to be added */
  readonly fresh: boolean
  add(record: TurnRecord): void
  activity(hours: ActivityView['hours']): ActivityView
  flush(): Promise<void>
}

type Sums = Omit<ActivityBucket, 'at' | 'ms' | 'ttfb'>
interface Hour {
  sums: Sums
  ttfb: TtfbCounts
}

const sumsShape = z.object({
  continued: z.number(),
  byPerson: z.number(),
  failed: z.number(),
  ...tokensShape,
  ...spendShape,
})
const hourShape = z.object({ at: z.number(), sums: sumsShape, ttfb: z.array(z.tuple([z.number(), z.number()])) })
const keptShape = z.object({ hours: z.array(hourShape) })
type Kept = z.infer<typeof keptShape>

const noSums: Sums = { continued: 0, byPerson: 0, failed: 0, input: 0, cachedInput: 0, output: 0, costUsd: null }
/** 30 local days and the running one, in milliseconds */
const keptFor = 31 * 24 * 3_600_000
/** an hour of the future is kept for this long, in case the clock is set back and forth */
const ahead = 24 * 3_600_000
/** milliseconds; a crash may cost this much of the sums */
const writeAfter = 15_000

/** Sums per hour over `hour-totals.json`, for as long as the longest range of the activity view reaches back. */
export async function openHourTotals({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Promise<Hours> {
  const document = await store
    .document<Kept>({ path: 'hour-totals.json', version: 1, parse: (value) => keptShape.parse(value) })
    .catch((error: unknown): Document<Kept> | null => {
      // sums are not worth keeping the engine from starting
      log.warn({ why: messageOf(error) }, 'the sums of earlier hours could not be read')
      return null
    })
  const hours = new Map<number, Hour>(
    document?.get()?.hours.map(({ at, sums, ttfb }) => [at, { sums, ttfb: new Map(ttfb) }]),
  )

  const write = async () => {
    await document?.set({ hours: Array.from(hours, ([at, { sums, ttfb }]) => ({ at, sums, ttfb: Array.from(ttfb) })) })
  }
  const late = writeLater({ clock, log, after: writeAfter, failed: 'the sums of the hour could not be written', write })

  return {
    fresh: document !== null && document.get() === null,
    add(record) {
      const at = hourOf(record.at)
      let hour = hours.get(at)
      if (!hour) {
        hour = { sums: noSums, ttfb: new Map() }
        hours.set(at, hour)
        // hours from a wrongly set clock go with the old ones
        for (const known of hours.keys())
          if (known < clock.now() - keptFor || known > clock.now() + ahead) hours.delete(known)
      }
      hour.sums = sumWith(hour.sums, record)
      if (record.ttfbMs !== null && record.status < 400 && isAgents(record)) count(hour.ttfb, record.ttfbMs)
      late.soon()
    },
    activity(range) {
      const bucket = ({ at, ms }: { at: number; ms: number }) =>
        bucketOf(
          at,
          ms,
          Array.from(hours).flatMap(([begin, hour]) => (begin >= at && begin < at + ms ? [hour] : [])),
        )
      const ranges = rangesOf(range, clock.now())
      return {
        hours: range,
        buckets: ranges.map(bucket),
        total: bucket({ at: ranges[0]?.at ?? 0, ms: ranges.reduce((sum, { ms }) => sum + ms, 0) }),
      }
    },
    flush: late.flush,
    dispose: late.dispose,
  }
}

function bucketOf(at: number, ms: number, hours: readonly Hour[]): ActivityBucket {
  const ttfb: TtfbCounts = new Map()
  for (const hour of hours) merge(ttfb, hour.ttfb)
  return { at, ms, ...hours.reduce((sum, hour) => plus(sum, hour.sums), noSums), ttfb: ttfbOf(ttfb) }
}

/** Tokens and cost are of every request, turns are those of agents: titles, counting and the like are none. */
export function sumWith(
  before: Sums,
  {
    kind,
    finish,
    error,
    by,
    usage,
    costUsd,
    price,
  }: Pick<TurnRecord, 'kind' | 'finish' | 'error' | 'by' | 'usage' | 'costUsd' | 'price'>,
): Sums {
  const counts = isAgents({ kind })
  const failed = error !== null || finish === 'error' || finish === 'broken-off'
  const one = (yes: boolean): number => (counts && yes ? 1 : 0)
  const own: Sums = {
    continued: one(!failed && by === 'onward'),
    byPerson: one(!failed && by !== 'onward'),
    failed: one(failed),
    input: usage?.input ?? 0,
    cachedInput: usage?.cachedInput ?? 0,
    output: usage?.output ?? 0,
    costUsd: null,
  }
  return plus(before, own, spendOf({ kind, usage, costUsd, price }))
}

const isAgents = ({ kind }: Pick<TurnRecord, 'kind'>): boolean => kind === 'turn' || kind === 'subagent'

/** @param spend what `b` cost, where it does not say so itself */
function plus(a: Sums, b: Sums, spend: Spend = b): Sums {
  const sums: Sums = {
    continued: a.continued + b.continued,
    byPerson: a.byPerson + b.byPerson,
    failed: a.failed + b.failed,
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    costUsd: null,
  }
  return spendInto(sums, a, spend)
}

/**
 * Times to the first byte, counted in buckets that grow by a fixed share. A value read back is the geometric middle of
 * its bucket and so at most `sqrt(growth) - 1`, 3.5 %, away from the true one, whatever hours are added up.
 */
export type TtfbCounts = Map<number, number>

const growth = 1.07
const stretch = Math.log(growth)
/** an hour, in milliseconds; what took longer counts as that */
const longest = 3_600_000

/** 0 is everything below a millisecond. */
export const ttfbBucketOf = (ms: number): number =>
  ms < 1 ? 0 : 1 + Math.floor(Math.log(Math.min(ms, longest)) / stretch)

const middleOf = (bucket: number): number =>
  bucket === 0 ? 0 : Math.round(Math.exp((bucket - 0.5) * stretch) * 10) / 10

export const count = (counts: TtfbCounts, ms: number): void => add(counts, ttfbBucketOf(ms), 1)

export function merge(into: TtfbCounts, counts: TtfbCounts): void {
  for (const [bucket, n] of counts) add(into, bucket, n)
}

function add(counts: TtfbCounts, bucket: number, n: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + n)
}

/** Nearest rank: the smallest value that at least this share of all is not above. null where nothing was counted */
export function ttfbOf(counts: TtfbCounts): { median: number; p95: number } | null {
  const sorted = Array.from(counts).sort(([a], [b]) => a - b)
  const all = sorted.reduce((sum, [, n]) => sum + n, 0)
  if (all === 0) return null
  const at = (share: number): number => {
    let left = Math.ceil(all * share)
    for (const [bucket, n] of sorted) if ((left -= n) <= 0) return middleOf(bucket)
    return middleOf(sorted.at(-1)?.[0] ?? 0)
  }
  return { median: at(0.5), p95: at(0.95) }
}

const hour = 3_600_000

/** Begin of the hour by the machine's own clock, which is not everywhere a whole one of UTC. */
export function hourOf(at: number): number {
  const date = new Date(at)
  return at - (date.getMinutes() * 60_000 + date.getSeconds() * 1000 + date.getMilliseconds())
}

/**
 * Begin and length of each bucket of a range, oldest first, the running one last. Quarters of a day and days are those
 * of the machine's own calendar: where the clock is changed, one of them is an hour shorter or longer.
 */
export function rangesOf(hours: ActivityView['hours'], now: number): readonly { at: number; ms: number }[] {
  const date = new Date(now)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  switch (hours) {
    case 24:
      return ranges(24, (back) => hourOf(now) - back * hour)
    case 168:
      return ranges(28, (back) => new Date(year, month, day, 6 * (Math.floor(date.getHours() / 6) - back)).getTime())
    case 720:
      return ranges(30, (back) => new Date(year, month, day - back).getTime())
  }
}

/** `beginOf(-1)` is where the running one ends. */
const ranges = (buckets: number, beginOf: (back: number) => number) =>
  Array.from({ length: buckets }, (_, i) => {
    const back = buckets - 1 - i
    const at = beginOf(back)
    return { at, ms: beginOf(back - 1) - at }
  })
