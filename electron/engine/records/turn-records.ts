import { posix } from 'node:path'
import { z } from 'zod'
import type { ActivityView, TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { type Disposable, emitter } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import { nothingToHide, type Redactor } from '../secrets/redact.ts'
import { inBatches } from '../store/in-batches.ts'
import type { Files, Store } from '../store/types.ts'
import { bounded } from '../base/newest.ts'
import { openCostTotals, type Costs, openDayTotals, type DayTotals } from './cost-totals.ts'
import { openHourTotals } from './hour-totals.ts'
import { jsonlFile, release, textOf, type Line } from './jsonl-file.ts'
import { withRoute } from './timeline.ts'

export interface TurnRecords extends Disposable {
  add(record: TurnRecord): void
  /** newest first */
  list(limit: number): readonly TurnRecord[]
  /** in memory; null: of none that ended lately */
  recent(requestId: string): TurnRecord | null
  /** of the calendar day it is now, where the engine runs */
  today(): DayTotals
  /** the last `hours`, in buckets that end with the running one */
  activity(hours: ActivityView['hours']): ActivityView
  /** what was spent today and in the days before */
  costs: Costs['costs']
  /** in memory, else in the files; null: of no request that is still recorded */
  find(requestId: string): Promise<TurnRecord | null>
  onRecord(listener: (record: TurnRecord) => void): Disposable
  readonly loaded: Promise<void>
  flush(): Promise<void>
}

export interface TurnRecordsOptions {
  files: Files
  store: Store
  clock: Clock
  log: Log
  /** absolute folder in which `turns.jsonl` stands */
  root: string
  /** takes secrets out of records before they are kept and sent to viewers */
  redactor?: () => Pick<Redactor, 'mayBeIn' | 'value'>
  limit?: number
  /** when those of earlier runs may be read: their readers wait for `loaded` */
  readFrom?: Promise<void>
}

const recordShape = z.object({ requestId: z.string(), at: z.number(), kind: z.string(), status: z.number() })
/** Our own file: enough is checked to know it is a record, the rest is taken as it was written. */
const parseRecord = (value: unknown): TurnRecord | null =>
  recordShape.safeParse(value).success ? (value as TurnRecord) : null

/** A record in memory, as its line (see timeline.ts). */
interface Kept {
  requestId: string
  line: Line
}

const read = ({ line }: Pick<Kept, 'line'>): TurnRecord => withRoute(JSON.parse(textOf(line)) as TurnRecord)

/** One record per turn: the newest in memory, all in `turns.jsonl`, sums per day and per hour. */
export async function createTurnRecords({
  files,
  store,
  clock,
  log,
  root,
  redactor = () => nothingToHide,
  limit = 5000,
  readFrom = Promise.resolve(),
}: TurnRecordsOptions): Promise<TurnRecords> {
  const file = jsonlFile({ clock, files, path: posix.join(root, 'turns.jsonl'), log, parse: parseRecord })
  const records = bounded<Kept>(limit, ({ line }) => release(line.chunk))
  const days = await openDayTotals({ store, clock, log })
  const hours = await openHourTotals({ store, clock, log })
  const costs = await openCostTotals({ store, clock, log })
  const added = emitter<TurnRecord>((error) => log.error({ err: error }, 'a listener to turn records failed'))

  const load = async () => {
    await readFrom
    const found: Kept[] = []
    for await (const { item, line } of file.newestFirst())
      if (found.push({ requestId: item.requestId, line }) >= limit) break
    // Records that this run has written meanwhile are here already.
    const known = new Set(records.items().map(({ requestId }) => requestId))
    const older = found.filter(({ requestId }) => !known.has(requestId)).reverse()
    records.prepend(older)
    const fresh = [hours, costs].filter((totals) => totals.fresh)
    if (fresh.length > 0)
      await inBatches(older, async (kept) => {
        const record = read(kept)
        for (const totals of fresh) totals.add(record)
      })
  }
  const loaded = load()
  const recent = (requestId: string) => {
    const kept = records.items().findLast((record) => record.requestId === requestId)
    return kept ? read(kept) : null
  }

  return {
    loaded,
    add(given) {
      let record = given
      let json = JSON.stringify(given)
      const { mayBeIn, value } = redactor()
      if (mayBeIn(json)) {
        record = value(given)
        json = JSON.stringify(record)
      }
      records.push({ requestId: record.requestId, line: file.append(json) })
      days.add(record)
      hours.add(record)
      costs.add(record)
      added.emit(record)
    },
    list: (count) => records.items().slice(-count).reverse().map(read),
    recent,
    today: days.today,
    activity: hours.activity,
    async costs(days) {
      await loaded
      return costs.costs(days)
    },
    async find(requestId) {
      await loaded
      const known = recent(requestId)
      if (known) return known
      for await (const { item, line } of file.newestFirst()) if (item.requestId === requestId) return read({ line })
      return null
    },
    onRecord: (listener) => added.on(listener),
    async flush() {
      await loaded
      await file.flush()
      await Promise.all([days.flush(), hours.flush(), costs.flush()])
    },
    dispose() {
      days.dispose()
      hours.dispose()
      costs.dispose()
    },
  }
}
