/** Costs, summed up as asked for: a table for people, lines of a file, or data. */
import { costLines } from '../../../shared/cost/cost-csv.ts'
import { costBy, costOfAll, type CostSums, type CostView } from '../../../shared/cost/cost.ts'
import type { Sentences } from '../../../shared/sentences/index.ts'
import { shortId } from '../../../shared/short-id.ts'
import { rows } from './columns.ts'
import type { Words } from './print.ts'

export const costWays = ['model', 'session', 'provider', 'day'] as const
export type CostWay = (typeof costWays)[number]

/** The subject of a row, by the names of its columns; `name`: a session's, null where it is no longer known. */
export type CostOf = Readonly<Record<string, string | null>>
export type CostRow = CostSums & { of: CostOf }

/** Dearest first, days oldest first. */
export function costRows(view: CostView, way: CostWay): readonly CostRow[] {
  const group = <Part extends CostSums>(parts: readonly Part[], of: (part: Part) => CostOf): CostRow[] =>
    costBy(parts, (part) => JSON.stringify(of(part))).map(({ name, ...sums }) => ({
      of: JSON.parse(name) as CostOf,
      ...sums,
    }))
  switch (way) {
    case 'model':
      return group(view.cells, ({ provider, model }) => ({ provider, model }))
    case 'provider':
      return group(view.cells, ({ provider }) => ({ provider }))
    case 'session':
      return group(view.cells, ({ session }) => ({
        session,
        name: session === null ? null : (view.names[session] ?? null),
      }))
    case 'day':
      return view.buckets.flatMap(({ at, parts }, i) => {
        const day = dayOf(at)
        // Today's buckets are hours.
        if (i > 0 && dayOf(view.buckets[i - 1]?.at ?? 0) === day) return []
        const all = view.buckets.flatMap((bucket) => (dayOf(bucket.at) === day ? bucket.parts : []))
        return parts.length + all.length === 0 ? [] : [{ of: { day }, ...costOfAll(all) }]
      })
  }
}

/** `2026-11-24`, by the machine's own calendar */
const dayOf = (at: number): string => new Date(at).toLocaleDateString('sv-SE')

export function costFile(found: readonly CostRow[], way: CostWay): string {
  const names = { model: ['provider', 'model'], session: ['session', 'name'], provider: ['provider'], day: ['day'] }[
    way
  ]
  return costLines(names, found, ({ of }) => names.map((name) => of[name] ?? null))
}

/** One heading, one line for each, and all of them together with what is not in the sum. */
export function costTable(
  found: readonly CostRow[],
  way: CostWay,
  { style, columns }: Words,
  { figures, spent, coldCaches, warmCaches }: Sentences,
): string {
  const total = costOfAll(found)
  const [heading, all] = [-1, found.length]
  const sumsAt = (line: number): CostSums => found[line] ?? total
  const right = { align: 'right' as const }
  const fields = [
    {
      head: way,
      of: (line: number) => (line === all ? 'all' : nameOf(found[line]?.of ?? {})),
      layout: { gives: 10, most: 48 },
    },
    { head: 'requests', of: (line: number) => String(sumsAt(line).requests), layout: right },
    { head: 'in', of: (line: number) => figures.tokens(sumsAt(line).input), layout: right },
    { head: 'cached', of: (line: number) => figures.tokens(sumsAt(line).cachedInput), layout: right },
    { head: 'out', of: (line: number) => figures.tokens(sumsAt(line).output), layout: right },
    { head: 'cost', of: (line: number) => figures.cost(sumsAt(line)) ?? '', layout: right },
  ]
  const table = rows(
    [heading, ...found.keys(), ...(found.length > 1 ? [all] : [])],
    fields.map(({ head, of, layout }) => ({
      ...layout,
      text: (line) => (line === heading ? head : of(line)),
      paint: (text, line) =>
        line === heading ? style.quiet(text) : line === all || head === way ? style.strong(text) : text,
    })),
    columns,
  )
  const besides = spent({ ...total, costUsd: null })
  const notes = [
    ...(besides === null ? [] : [`Not in the sum: ${besides}`]),
    ...(total.cold ? [`Cold caches: ${coldCaches(total.cold)}`] : []),
    ...(total.warm ? [`Kept warm: ${warmCaches(total.warm)}`] : []),
  ]
  return table + notes.map((note) => `${style.quiet(note)}\n`).join('')
}

function nameOf({ provider, model, session, name, day }: CostOf): string {
  if (day) return day
  if (provider) return model ? `${provider}/${model}` : provider
  return name ?? (session ? shortId(session) : 'no session')
}
