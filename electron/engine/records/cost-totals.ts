import { z } from 'zod'
import {
  addCost,
  mostCostDays,
  noCost,
  type CostBucket,
  type CostCell,
  type CostView,
  costInto,
  noSpend,
  spendInto,
  spendOf,
  tokensOf,
  coldSumsOf,
  type WarmSums,
  type ColdSums,
  type Spend,
} from '../../../shared/cost/cost.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { writeLater } from '../base/work.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'
import { hourOf } from './hour-totals.ts'
import { coldShape, spendShape, tokensShape } from './kept-sums.ts'

export interface Costs extends Disposable {
  /** there was no file yet: the records of earlier turns have to be added */
  readonly fresh: boolean
  add(record: TurnRecord): void
  /** of today and the days before it, by the machine's own calendar */
  costs(days: number): Promise<Omit<CostView, 'names'>>
  flush(): Promise<void>
}

/** milliseconds; a crash may cost this much of the sums */
const writeAfter = 20_000
const folder = 'costs'

/** The file's content comes in when it is first needed: a day that is only added to meanwhile has the rest of it. */
interface Kept {
  day: CostDay
  document: Promise<Document<KeptDay> | null> | null
}

/**
 * Costs by hour, session, provider and model, over one file a day (`costs/2026-11-21.json`): only the running day's is
 * written again.
 */
export async function openCostTotals({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Promise<Costs> {
  const days = new Map<string, Kept>()
  const dirty = new Set<string>()
  const fileOf = (name: string) => `${folder}/${name}.json`
  const openDocument = (name: string): Promise<Document<KeptDay> | null> =>
    store
      .document<KeptDay>({ path: fileOf(name), version: 1, parse: (value) => dayShape.parse(value) })
      .catch((error: unknown) => {
        // sums are not worth keeping the engine from anything
        log.warn({ why: messageOf(error), day: name }, 'what a day cost could not be read')
        return null
      })
  const dayNamed = (name: string): Kept => {
    const known = days.get(name) ?? { day: createCostDay(), document: null }
    days.set(name, known)
    return known
  }
  const loaded = async (name: string): Promise<{ day: CostDay; document: Document<KeptDay> | null }> => {
    const kept = dayNamed(name)
    kept.document ??= openDocument(name).then((document) => {
      for (const cell of document?.get()?.cells ?? []) kept.day.add(asCell(cell))
      return document
    })
    return { day: kept.day, document: await kept.document }
  }
  const write = async () => {
    const names = [...dirty]
    dirty.clear()
    for (const name of names) {
      const { day, document } = await loaded(name)
      await document?.set({ cells: [...day.cells()] })
    }
  }
  const late = writeLater({ clock, log, after: writeAfter, failed: 'what the day cost could not be written', write })

  const names = (await store.list(folder)).map((name) => name.replace(/\.json$/, ''))
  for (const name of names.toSorted().slice(0, -mostCostDays))
    await openDocument(name)
      .then((document) => document?.remove())
      .catch((error: unknown) => log.warn({ why: messageOf(error), day: name }, 'an old file of costs stays'))

  return {
    fresh: names.length === 0,
    add(record) {
      const cell = cellOf(record)
      if (!cell) return
      const name = dayOf(record.at)
      dayNamed(name).day.add(cell)
      dirty.add(name)
      late.soon()
    },
    async costs(count) {
      const ranges = rangesOf(count, clock.now())
      const names = new Set(ranges.map(({ at }) => dayOf(at)))
      const cells: HourCell[] = []
      for (const name of names) cells.push(...(await loaded(name)).day.cells())
      return { days: count, buckets: ranges.map((range) => bucketOf(range, cells)), cells: bySession(cells) }
    },
    flush: late.flush,
    dispose: late.dispose,
  }
}

/** Optional members of a parsed cell are absent, and never there without a value. */
function asCell({ unpricedTokens, worthUsd, from, cold, warm, ...cell }: KeptDay['cells'][number]): HourCell {
  return {
    ...cell,
    ...(unpricedTokens === undefined ? {} : { unpricedTokens }),
    ...(worthUsd === undefined ? {} : { worthUsd }),
    ...(from === undefined ? {} : { from }),
    ...(cold === undefined ? {} : { cold: cold as ColdSums }),
    ...(warm === undefined ? {} : { warm: warm as WarmSums }),
  }
}

/** Hours of today, or days, by the machine's calendar: where the clock is changed, one is shorter or longer. */
function rangesOf(days: number, now: number): readonly { at: number; ms: number }[] {
  const date = new Date(now)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const midnight = (back: number) => new Date(year, month, day - back).getTime()
  const begins: number[] = []
  if (days === 1) for (let at = midnight(0); at < midnight(-1); at += 3_600_000) begins.push(at)
  else for (let back = days - 1; back >= 0; back--) begins.push(midnight(back))
  return begins.map((at, i) => ({ at, ms: (begins[i + 1] ?? midnight(-1)) - at }))
}

function bucketOf({ at, ms }: { at: number; ms: number }, cells: readonly HourCell[]): CostBucket {
  const within = cells.filter((cell) => cell.at >= at && cell.at < at + ms)
  const parts = new Map<string, CostBucket['parts'][number]>()
  for (const cell of within) {
    const { provider, model } = cell
    const key = JSON.stringify([provider, model])
    parts.set(key, { provider, model, ...addCost(parts.get(key) ?? noCost, cell) })
  }
  return { at, ms, parts: [...parts.values()] }
}

function bySession(cells: readonly HourCell[]): readonly CostCell[] {
  const sums = new Map<string, CostCell>()
  for (const cell of cells) {
    const { session, provider, model } = cell
    const key = JSON.stringify([session, provider, model])
    sums.set(key, { session, provider, model, ...addCost(sums.get(key) ?? noCost, cell) })
  }
  return [...sums.values()]
}

/** The cost of one hour for one session at one model. */
interface HourCell extends CostCell {
  at: number
}

const cellShape = z.object({
  at: z.number(),
  session: z.string().nullable(),
  provider: z.string(),
  model: z.string(),
  requests: z.number(),
  ...tokensShape,
  ...spendShape,
  from: z.enum(['config', 'list', 'plan', 'local']).optional(),
  cold: coldShape.optional(),
  warm: z.object({ requests: z.number(), ...spendShape }).optional(),
})
/** A day's file. Written by a newer Onward with more in it, the more is left out. */
const dayShape = z.object({ cells: z.array(cellShape) })
type KeptDay = z.infer<typeof dayShape>

/**
 * a day of more sessions than this at once does not keep the rest of them apart: its file is written again and again
 */
const mostCells = 4000

/** Sums of one calendar day. */
interface CostDay {
  add(cell: HourCell): void
  cells(): readonly HourCell[]
}

function createCostDay(): CostDay {
  const cells = new Map<string, HourCell>()
  const put = (cell: HourCell) => {
    const key = `${cell.at}\0${cell.session ?? ''}\0${cell.provider}\0${cell.model}`
    const before = cells.get(key)
    cells.set(key, before ? sumOf(before, cell) : cell)
  }
  return {
    add: (cell) => put(cells.size < mostCells ? cell : { ...cell, session: null }),
    cells: () => [...cells.values()],
  }
}

/** null: nothing was sent to a provider, so nothing can have been paid */
function cellOf({ at, sessionId, route, kind, usage, costUsd, price, cold }: TurnRecord): HourCell | null {
  if (route === null || (usage === null && costUsd === null)) return null
  const counted = kind === 'count' ? null : usage
  const cell: HourCell = {
    at: hourOf(at),
    session: sessionId,
    provider: route.provider,
    model: route.model,
    requests: 1,
    input: counted?.input ?? 0,
    cachedInput: counted?.cachedInput ?? 0,
    output: counted?.output ?? 0,
    costUsd: null,
  }
  if (price) cell.from = price.from
  if (cold) cell.cold = coldSumsOf(cold)
  const spend = spendOf({ kind, usage, costUsd, price })
  if (kind === 'warm') cell.warm = { requests: 1, ...spend }
  return spendInto(cell, noSpend, spend)
}

/** Both in one, of the same hour, session, provider and model. */
const sumOf = (a: HourCell, b: HourCell): HourCell =>
  costInto(
    {
      at: b.at,
      session: b.session,
      provider: b.provider,
      model: b.model,
      requests: 0,
      input: 0,
      cachedInput: 0,
      output: 0,
      costUsd: null,
    },
    a,
    b,
  )

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
type KeptDays = z.infer<typeof daysShape>

const nothing: DayTotals = { turns: 0, tokens: 0, costUsd: null }
/** days kept */
const longest = 92
/** milliseconds; a crash may cost this much of the sums */
const writeDaysAfter = 5000

/** Day sums over `day-totals.json`, so that they survive the rotation of the records. */
export async function openDayTotals({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Promise<Days> {
  const document = await store
    .document<KeptDays>({ path: 'day-totals.json', version: 1, parse: (value) => daysShape.parse(value) })
    .catch((error: unknown): Document<KeptDays> | null => {
      // sums are not worth keeping the engine from starting
      log.warn({ why: messageOf(error) }, 'the sums of earlier days could not be read')
      return null
    })
  let days: Record<string, DayTotals> = { ...document?.get()?.days }

  const write = async () => {
    await document?.set({ days: { ...days } })
  }
  const late = writeLater({
    clock,
    log,
    after: writeDaysAfter,
    failed: 'the sums of the day could not be written',
    write,
  })

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
    tokens: before.tokens + tokensOf(usage),
    costUsd: null,
  }
  return spendInto(sums, before, spendOf({ kind, usage, costUsd, price }))
}

/** No zone's day begins within one: a quarter of an hour, in milliseconds. */
const quarter = 900_000
/** the name of the day that was asked for last */
let last = { quarter: Number.NaN, name: '' }

/** `2026-11-21`, by the machine's own calendar: "today" is a person's day. */
function dayOf(at: number): string {
  const within = Math.floor(at / quarter)
  if (last.quarter !== within) last = { quarter: within, name: nameOf(new Date(at)) }
  return last.name
}

const nameOf = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
