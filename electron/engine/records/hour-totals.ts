import { z } from 'zod'
import { spendInto, spendOf, type Spend } from '../../../shared/cost/cost.ts'
import type { ActivityBucket, ActivityView, TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'
import { spendShape, tokensShape } from './spend-shape.ts'
import { writeLater } from './write-later.ts'
import { hourOf, rangesOf } from './activity-ranges.ts'
import { count, merge, ttfbOf, type TtfbCounts } from './ttfb-buckets.ts'

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
