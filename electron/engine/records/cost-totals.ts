import {
  addCost,
  mostCostDays,
  noCost,
  type CostBucket,
  type CostCell,
  type CostView,
} from '../../../shared/cost/cost-view.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'
import { writeLater } from './write-later.ts'
import { cellOf, createCostDay, dayShape, type CostDay, type HourCell, type KeptDay } from './cost-days.ts'
import { dayOf } from './day-totals.ts'

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
function asCell({ unpricedTokens, worthUsd, from, ...cell }: KeptDay['cells'][number]): HourCell {
  return {
    ...cell,
    ...(unpricedTokens === undefined ? {} : { unpricedTokens }),
    ...(worthUsd === undefined ? {} : { worthUsd }),
    ...(from === undefined ? {} : { from }),
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
