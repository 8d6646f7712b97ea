import { asNumber, asObject, type JsonObject } from '../values.ts'

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
