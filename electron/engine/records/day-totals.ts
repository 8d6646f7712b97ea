import { z } from 'zod'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Document, Store } from '../store/types.ts'

/** Sums of a calendar day. `turns` counts main turns; tokens and cost are of every request. */
export interface DayTotals {
  turns: number
  tokens: number
  costUsd: number | null
}

export interface Days extends Disposable {
  add(record: TurnRecord): void
  today(): DayTotals
  flush(): Promise<void>
}

const totalsShape = z.object({ turns: z.number(), tokens: z.number(), costUsd: z.number().nullable() })
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
  let timer: Disposable | null = null

  const write = async () => {
    timer?.dispose()
    timer = null
    await document?.set({ days: { ...days } })
  }

  return {
    add(record) {
      const day = dayOf(record.at)
      days[day] = sum(days[day] ?? nothing, record)
      const names = Object.keys(days).sort()
      if (names.length > longest)
        days = Object.fromEntries(names.slice(-longest).map((name) => [name, days[name] ?? nothing]))
      timer ??= clock.after(writeAfter, () => {
        timer = null
        write().catch((error: unknown) =>
          log.warn({ why: messageOf(error) }, 'the sums of the day could not be written'),
        )
      })
    },
    today: () => days[dayOf(clock.now())] ?? nothing,
    async flush() {
      if (timer) await write()
    },
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}

export function sum(
  before: DayTotals,
  { kind, usage, costUsd }: Pick<TurnRecord, 'kind' | 'usage' | 'costUsd'>,
): DayTotals {
  return {
    turns: before.turns + (kind === 'turn' ? 1 : 0),
    tokens: before.tokens + (usage ? usage.input + usage.output : 0),
    costUsd: costUsd === null ? before.costUsd : (before.costUsd ?? 0) + costUsd,
  }
}

/** `2026-11-21`, by the machine's own calendar: "today" is a person's day. */
function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}
