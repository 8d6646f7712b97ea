import { createHash } from 'node:crypto'
import type { RoundView } from '../../../../../shared/review.ts'
import type { StopMark } from '../reducer/goal-progress.ts'
import type { TurnExcerpt } from '../turn-excerpt.ts'

const TOOLS = 8
const TEXT = 600

/** Summarizes the agent's work for a round's card. */
export function didOf(excerpt: TurnExcerpt | null): RoundView['did'] {
  if (!excerpt) return { calls: 0, tools: [], text: '' }
  const counts = new Map<string, number>()
  for (const { name } of excerpt.calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  const tools = Array.from(counts, ([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, TOOLS)
  const text = excerpt.text.trim()
  return { calls: excerpt.callsTotal, tools, text: text.length <= TEXT ? text : `${text.slice(0, TEXT - 1)}…` }
}

const MARK_TEXT = 4_000

/** Returns the facts to compare the next stop with. `calls` is empty if there were none. */
export function markOf(requestId: string, excerpt: TurnExcerpt, at: number): StopMark {
  const calls =
    excerpt.calls.length === 0
      ? ''
      : createHash('sha256')
          .update(excerpt.calls.map(({ key }) => key).join('\n'))
          .digest('base64url')
          .slice(0, 16)
  return { requestId, text: excerpt.text.slice(-MARK_TEXT), calls, at }
}
