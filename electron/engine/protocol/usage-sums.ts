import type { Usage } from '../../../shared/cost/usage.ts'
import type { AnswerUsage } from './canonical/answer.ts'
import { type JsonObject, asNumber, asObject } from './values.ts'

/** Counts by a vendor's own names, before it is known what is counted within what. */
export interface Counted {
  input: number
  cachedInput: number
  cacheWrite: number
  cacheWriteHour?: number
  output: number
  reasoning: number
  /** the vendor's own sum of all counts; null: it gives none */
  total: number | null
  /** cache writes may be counted beside the prompt, while cache reads are counted within it (OpenRouter) */
  writesBeside?: boolean
  /** the input has sound, which only the total counts (Mistral) */
  hears?: boolean
}

/**
 * Puts counts together so that `input` and `output` hold all of theirs. OpenAI counts reasoning within the output and
 * the cache within the input; others count them beside. No vendor says which, but the total does: what it holds more
 * than input and output is what stands beside them. Where reasoning and cache are the same number, it is reasoning
 * that stands beside. Without a total, a part that is larger than its whole can't be within it.
 */
export function summedUp({
  input,
  cachedInput,
  cacheWrite,
  cacheWriteHour = 0,
  output,
  reasoning,
  total,
  writesBeside = false,
  hears = false,
}: Counted): AnswerUsage {
  const beside = Math.max(0, (total ?? 0) - input - output)
  const cache = cachedInput + cacheWrite
  if (hears && beside > 0 && reasoning === 0)
    return { input: input + beside, cachedInput, cacheWrite, output, reasoning }
  if (writesBeside && cachedInput <= input && cache > input)
    return summedUp({ input: input + cacheWrite, cachedInput, cacheWrite, cacheWriteHour, output, reasoning, total })
  const reasons = reasoning > 0 && (beside === reasoning || beside === reasoning + cache || reasoning > output)
  const caches = cache > 0 && (cache > input || (beside === cache && !reasons) || beside === reasoning + cache)
  // Google's OpenAI endpoint counts thoughts in the total and nowhere else.
  const unnamed = reasoning === 0 && !caches ? beside : 0
  return {
    input: input + (caches ? cache : 0),
    cachedInput,
    cacheWrite,
    ...(cacheWriteHour > 0 ? { cacheWriteHour } : {}),
    output: output + (reasons ? reasoning : 0) + unnamed,
    reasoning: reasoning + unnamed,
  }
}

/** Usage as a turn's record keeps it: cache writes are part of its input, and also stand beside it. */
export const recordedUsage = (usage: AnswerUsage | null): Usage | null =>
  usage && {
    input: usage.input,
    cachedInput: usage.cachedInput,
    ...(usage.cacheWrite > 0 ? { cacheWrite: usage.cacheWrite } : {}),
    ...(usage.cacheWriteHour ? { cacheWriteHour: usage.cacheWriteHour } : {}),
    output: usage.output,
    reasoning: usage.reasoning,
  }

/**
 * The later count, with what only the earlier one said: vendors count again after the finish, some of them more and
 * some less.
 */
export function fullest(older: AnswerUsage | null, newer: AnswerUsage | null): AnswerUsage | null {
  if (!older || !newer) return newer ?? older
  const input = newer.input || older.input
  const cacheWriteHour = newer.cacheWriteHour ?? older.cacheWriteHour
  return {
    input,
    cachedInput: Math.min(newer.cachedInput || older.cachedInput, input),
    cacheWrite: Math.min(newer.cacheWrite || older.cacheWrite, input),
    ...(cacheWriteHour === undefined ? {} : { cacheWriteHour }),
    output: newer.output || older.output,
    reasoning: newer.reasoning || older.reasoning,
  }
}

/**
 * Adds up the token counts of two rounds, member by member; a value that is no number is the later round's. For output
 * only: clients read input counts as the size of their context, so those stay the last round's.
 */
function addCounts(earlier: JsonObject, later: JsonObject): JsonObject {
  const sum: Record<string, unknown> = { ...earlier }
  for (const [name, value] of Object.entries(later)) sum[name] = added(earlier[name], value)
  return sum
}

function added(earlier: unknown, later: unknown): unknown {
  if (typeof earlier === 'number' && typeof later === 'number') return earlier + later
  const [a, b] = [asObject(earlier), asObject(later)]
  if (a && b) return addCounts(a, b)
  return later ?? earlier
}

/** Returns those of these members that are there. */
export function pick(counts: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]]])))
}

export interface RoundCounts {
  add(usage: JsonObject | null): void
  total(): JsonObject
}

interface CountNames {
  /** members that count output */
  outputs: readonly string[]
  /** the member that counts all */
  total: string
  /** the output in a round's total: vendors count some of it beside the members named here */
  outputInTotal(usage: JsonObject): number
}

/** Counts over several rounds in the vendor's own members: input of the last round, output of all. */
export function roundCounts({ outputs, total, outputInTotal }: CountNames): RoundCounts {
  let last: JsonObject = {}
  let output: JsonObject = {}
  /** output of the rounds before the last */
  let before = 0
  return {
    add(usage) {
      if (!usage) return
      before += outputInTotal(last)
      last = usage
      output = addCounts(output, pick(usage, outputs))
    },
    total() {
      const counted = asNumber(last[total])
      return { ...last, ...output, ...(counted === null ? {} : { [total]: counted + before }) }
    },
  }
}
