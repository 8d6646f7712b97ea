import { costBy, costOfAll } from '../../shared/cost/cost.ts'
import type { OfMachine } from '../state/place.ts'
import type { ShownCosts } from './all-machines.ts'
import type { Tone } from './chart.tsx'

export const stackings = ['provider', 'model', 'machine'] as const
export type Stacking = (typeof stackings)[number]

const tones: readonly Tone[] = ['p1', 'p2', 'p3', 'p4', 'p5']

export interface CostSeries {
  tone: Tone
  /** null: all that have no colour of their own */
  name: string | null
  costUsd: number
  of(bucket: Buckets[number]): number
}
type Buckets = Pick<ShownCosts, 'buckets'>['buckets']

export const machineName = ({ machine = '' }: OfMachine): string => machine
export const modelName = ({ provider, model }: { provider: string; model: string }): string => `${provider}/${model}`

const namers: Record<Stacking, (part: Buckets[number]['parts'][number]) => string> = {
  provider: ({ provider }) => provider,
  model: modelName,
  machine: machineName,
}

/** The dearest first, four of them and the rest; only what cost something. */
export function seriesOf({ buckets }: { buckets: Buckets }, by: Stacking): readonly CostSeries[] {
  const nameOf = namers[by]
  const parts = buckets.flatMap((bucket) => bucket.parts)
  const all = costBy(parts, nameOf).filter(({ costUsd }) => (costUsd ?? 0) > 0)
  const own = all.length <= tones.length ? all : all.slice(0, tones.length - 1)
  const names = new Set(own.map(({ name }) => name))
  const series = own.map(({ name, costUsd }, i): CostSeries => {
    const of = (bucket: Buckets[number]) => dollars(bucket.parts.filter((part) => nameOf(part) === name))
    return { tone: tones[i] ?? 'p5', name, costUsd: costUsd ?? 0, of }
  })
  if (own.length === all.length) return series
  const of = (bucket: Buckets[number]) => dollars(bucket.parts.filter((part) => !names.has(nameOf(part))))
  return [...series, { tone: 'p5', name: null, costUsd: buckets.reduce((sum, bucket) => sum + of(bucket), 0), of }]
}

const dollars = (parts: Buckets[number]['parts']): number => costOfAll(parts).costUsd ?? 0
