import type { Usage } from '../../../shared/cost/usage.ts'
import type { AnswerUsage } from './canonical/answer.ts'

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
