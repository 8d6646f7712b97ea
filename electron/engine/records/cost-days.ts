import { z } from 'zod'
import { costInto, type CostCell } from '../../../shared/cost/cost-view.ts'
import { noSpend, spendInto, spendOf } from '../../../shared/cost/cost.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { hourOf } from './activity-ranges.ts'
import { spendShape, tokensShape } from './spend-shape.ts'

/** The cost of one hour for one session at one model. */
export interface HourCell extends CostCell {
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
})
/** A day's file. Written by a newer Onward with more in it, the more is left out. */
export const dayShape = z.object({ cells: z.array(cellShape) })
export type KeptDay = z.infer<typeof dayShape>

/**
 * a day of more sessions than this at once does not keep the rest of them apart: its file is written again and again
 */
const mostCells = 4000

/** Sums of one calendar day. */
export interface CostDay {
  add(cell: HourCell): void
  cells(): readonly HourCell[]
}

export function createCostDay(): CostDay {
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
export function cellOf({ at, sessionId, route, kind, usage, costUsd, price }: TurnRecord): HourCell | null {
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
  return spendInto(cell, noSpend, spendOf({ kind, usage, costUsd, price }))
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
