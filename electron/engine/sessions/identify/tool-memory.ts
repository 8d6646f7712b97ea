import { putNewest } from '../../base/newest.ts'
import type { RequestFacts } from '../types.ts'

/** The tools that the turns of conversations carry: the longest list seen with each. */
export interface ToolMemory {
  /** it has fewer tools, and none of those */
  lacks(conversation: string, facts: RequestFacts): boolean
  note(conversation: string, facts: RequestFacts): void
}

export function toolMemory(limit = 2000): ToolMemory {
  const longest = new Map<string, ReadonlySet<string>>()
  const countOf = (facts: RequestFacts): number => facts.toolCount() ?? 0
  return {
    lacks(conversation, facts) {
      const known = longest.get(conversation)
      const count = countOf(facts)
      if (!known || count >= known.size) return false
      return count === 0 || !facts.toolNames().some((name) => known.has(name))
    },
    note(conversation, facts) {
      if (countOf(facts) > (longest.get(conversation)?.size ?? 0))
        putNewest(longest, conversation, new Set(facts.toolNames()), limit)
    },
  }
}
