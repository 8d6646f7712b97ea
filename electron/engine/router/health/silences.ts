import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { writeLater } from '../../base/work.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { MeasuredSilence } from '../../providers/time-limits.ts'
import type { Document, Store } from '../../store/types.ts'

/** The longest silences of one answer, in milliseconds; null: it never got that far. */
export interface LongestSilence {
  /** up to its first content */
  silentMs: number | null
  /** from there to its end */
  idleMs: number | null
}

export interface SilenceFacts extends MeasuredSilence {
  /** streams with content, at most as many as are remembered */
  answers: number
}

/**
 * How long the streams of each model are silent at most. Only the longest silence of an answer is kept: of all gaps
 * between bytes hardly one in a thousand shows what a model does when it stops.
 */
export interface Silences {
  note(model: string, longest: LongestSilence): void
  of(model: string): SilenceFacts | null
  names(): string[]
  /** everything, as it is kept over a restart */
  all(): KeptSilence[]
}

/** Counts by bucket, without those that are empty. */
type Counts = [bucket: number, count: number][]
interface KeptSilence {
  model: string
  silent: Counts
  idle: Counts
}

/** With fewer answers a slow one may not have come yet. */
const FEWEST = 20
/** Above that the older half is forgotten, and with it the one time that a provider hung. */
const MOST = 400
const TIMES = 10
const SHARE = 0.99
/** Each bucket ends a fifth above the one before it; the last one ends beyond an hour. */
const FIRST_MS = 100
const PER_OCTAVE = 4
const BUCKETS = 64
/** Clients may send any model name. */
const mostModels = 500

interface Histogram {
  counts: Uint16Array
  total: number
}

/** @param kept of an earlier run; `onNote`: after each change */
export function createSilences(kept: readonly KeptSilence[] = [], onNote?: () => void): Silences {
  const models = new Map<string, { silent: Histogram; idle: Histogram; facts: SilenceFacts }>()
  for (const { model, silent, idle } of kept.slice(-mostModels)) {
    const one = { silent: histogram(silent), idle: histogram(idle) }
    models.set(model, { ...one, facts: factsOf(one) })
  }
  return {
    note(model, { silentMs, idleMs }) {
      let one = models.get(model)
      if (!one) {
        const oldest = models.keys().next()
        if (models.size >= mostModels && !oldest.done) models.delete(oldest.value)
        one = { silent: histogram(), idle: histogram(), facts: { answers: 0, silentMs: null, idleMs: null } }
        models.set(model, one)
      }
      if (silentMs !== null) add(one.silent, silentMs)
      if (idleMs !== null) add(one.idle, idleMs)
      one.facts = factsOf(one)
      onNote?.()
    },
    of: (model) => models.get(model)?.facts ?? null,
    names: () => [...models.keys()],
    all: () =>
      Array.from(models, ([model, { silent, idle }]) => ({ model, silent: countsOf(silent), idle: countsOf(idle) })),
  }
}

const factsOf = ({ silent, idle }: { silent: Histogram; idle: Histogram }): SilenceFacts => ({
  answers: silent.total,
  silentMs: limitOf(silent),
  idleMs: limitOf(idle),
})

function histogram(kept: Counts = []): Histogram {
  const counts = new Uint16Array(BUCKETS)
  for (const [bucket, count] of kept) if (bucket < BUCKETS) counts[bucket] = Math.min(MOST, count)
  return { counts, total: counts.reduce((sum, count) => sum + count, 0) }
}

const countsOf = ({ counts }: Histogram): Counts => Array.from(counts.entries()).filter(([, count]) => count > 0)

function add(to: Histogram, ms: number): void {
  if (to.total >= MOST) {
    to.counts.forEach((count, i) => {
      to.counts[i] = count >> 1
    })
    to.total = to.counts.reduce((sum, count) => sum + count, 0)
  }
  const at = Math.ceil(Math.log2(Math.max(1, ms / FIRST_MS)) * PER_OCTAVE)
  const bucket = Math.min(BUCKETS - 1, at)
  to.counts[bucket] = (to.counts[bucket] ?? 0) + 1
  to.total++
}

function limitOf({ counts, total }: Histogram): number | null {
  if (total < FEWEST) return null
  let above = total - Math.ceil(total * SHARE)
  let bucket = BUCKETS - 1
  for (; bucket > 0; bucket--) {
    above -= counts[bucket] ?? 0
    if (above < 0) break
  }
  return Math.round(TIMES * FIRST_MS * 2 ** (bucket / PER_OCTAVE))
}

const counts = z.array(z.tuple([z.number().int().min(0), z.number().int().min(0)]))
const file = z.object({ models: z.array(z.object({ model: z.string(), silent: counts, idle: counts })) })

/** milliseconds; a crash costs what was measured within this */
const WRITE_AFTER_MS = 60_000

/** Remembers how long each model is silent, in `silences.json`: some hundred bytes a model. */
export async function openSilences(deps: {
  store: Store
  clock: Clock
  log: Log
}): Promise<Silences & Disposable & { flush(): Promise<void> }> {
  const { store, clock, log } = deps
  const document = await store
    .document<{ models: KeptSilence[] }>({ path: 'silences.json', version: 1, parse: (value) => file.parse(value) })
    .catch((error: unknown): Document<{ models: KeptSilence[] }> | null => {
      // The usual limits count until enough is measured again.
      log.warn({ why: messageOf(error) }, 'how long models may be silent could not be read')
      return null
    })
  const late = writeLater({
    clock,
    log,
    after: WRITE_AFTER_MS,
    failed: 'how long models may be silent could not be written',
    write: async () => document?.set({ models: silences.all() }),
  })
  const silences = createSilences(document?.get()?.models, late.soon)
  return { ...silences, flush: late.flush, dispose: late.dispose }
}
