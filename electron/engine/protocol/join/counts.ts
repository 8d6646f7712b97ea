import { asNumber, asObject, type JsonObject } from '../values.ts'

/**
 * Token counts of two rounds added up, member by member; what is no number is the later's. For output only: clients
 * read input counts as the size of their context, so those stay the last round's.
 */
export function addCounts(earlier: JsonObject, later: JsonObject): JsonObject {
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

/** Of these members those that are there. */
export function pick(counts: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]]])))
}

export interface RoundCounts {
  add(usage: JsonObject | null): void
  total(): JsonObject
}

/**
 * Counts over several rounds: input of the last, output (`outputs` names its members) of all; `finished` adds what a
 * protocol sums up.
 */
export function roundCounts(outputs: readonly string[], finished: (counts: JsonObject) => JsonObject): RoundCounts {
  let last: JsonObject = {}
  let output: JsonObject = {}
  return {
    add(usage) {
      if (!usage) return
      last = usage
      output = addCounts(output, pick(usage, outputs))
    },
    total: () => finished({ ...last, ...output }),
  }
}

/** `total_tokens` of OpenAI's protocols; left as it is where a part is missing. */
export function withTotalTokens(counts: JsonObject, inputName: string, outputName: string): JsonObject {
  const [input, output] = [asNumber(counts[inputName]), asNumber(counts[outputName])]
  return input === null || output === null ? counts : { ...counts, total_tokens: input + output }
}
