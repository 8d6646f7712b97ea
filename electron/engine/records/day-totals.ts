import { z } from 'zod'
import { spendInto, spendOf, type Spend } from '../../../shared/cost/cost.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'
import { spendShape } from './spend-shape.ts'
import { writeLater } from './write-later.ts'

/** Sums of a calendar day. `turns` counts main turns; tokens and cost are of every request. */
export interface DayTotals extends Spend {
  turns: number
  tokens: number
}

export interface Days extends Disposable {
  add(record: TurnRecord): void
  today(): DayTotals
  flush(): Promise<void>
}

const totalsShape = z.object({
  turns: z.number(),
  tokens: z.number(),
  ...spendShape,
})
const daysShape = z.object({ days: z.record(z.string(), totalsShape) })
type Kept = z.infer<typeof daysShape>

const nothing: DayTotals = { turns: 0, tokens: 0, costUsd: null }
/** days kept */
const longest = 92
/** milliseconds; a crash may cost this much of the sums */
const writeAfter = 5000

/** Day sums over `day-totals.json`, so that they survive the rotation of the records. */
export async function openDayTotals({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Promise<Days> {
  const document = await store
    .document<Kept>({ path: 'day-totals.json', version: 1, parse: (value) => daysShape.parse(value) })
    .catch((error: unknown): Document<Kept> | null => {
      // sums are not worth keeping the engine from starting
      log.warn({ why: messageOf(error) }, 'the sums of earlier days could not be read')
      return null
    })
  let days: Record<string, DayTotals> = { ...document?.get()?.days }

  const write = async () => {
    await document?.set({ days: { ...days } })
  }
  const late = writeLater({ clock, log, after: writeAfter, failed: 'the sums of the day could not be written', write })

  return {
    add(record) {
      const day = dayOf(record.at)
      const before = days[day]
      days[day] = sum(before ?? nothing, record)
      if (before === undefined) days = newest(days)
      late.soon()
    },
    today: () => days[dayOf(clock.now())] ?? nothing,
    flush: late.flush,
    dispose: late.dispose,
  }
}

function newest(days: Record<string, DayTotals>): Record<string, DayTotals> {
  const names = Object.keys(days).sort()
  return names.length > longest
    ? Object.fromEntries(names.slice(-longest).map((name) => [name, days[name] ?? nothing]))
    : days
}

export function sum(
  before: DayTotals,
  { kind, usage, costUsd, price }: Pick<TurnRecord, 'kind' | 'usage' | 'costUsd' | 'price'>,
): DayTotals {
  const sums: DayTotals = {
    turns: before.turns + (kind === 'turn' ? 1 : 0),
    tokens: before.tokens + (usage ? usage.input + usage.output : 0),
    costUsd: null,
  }
  return spendInto(sums, before, spendOf({ kind, usage, costUsd, price }))
}

/** No zone's day begins within one: a quarter of an hour, in milliseconds. */
const quarter = 900_000
/** the name of the day that was asked for last */
let last = { quarter: Number.NaN, name: '' }

/** `2026-11-21`, by the machine's own calendar: "today" is a person's day. */
export function dayOf(at: number): string {
  const within = Math.floor(at / quarter)
  if (last.quarter !== within) last = { quarter: within, name: nameOf(new Date(at)) }
  return last.name
}

const nameOf = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
