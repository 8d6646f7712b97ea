import type { HiddenNames } from '../../protocol/server-tools.ts'
import type { ResponseSummary } from '../../protocol/types.ts'
import type { TurnEnd } from '../turn.ts'

/** Returns the summary of the client's answer, without calls of Onward's own. */
export function visibleSummary({ summary }: TurnEnd, names: HiddenNames): ResponseSummary {
  if (names.size === 0 || !summary.toolNames.some((name) => names.has(name))) return summary
  const toolNames = summary.toolNames.filter((name) => !names.has(name))
  return {
    ...summary,
    toolNames,
    finish: toolNames.length === 0 && summary.finish === 'tool-calls' ? 'stop' : summary.finish,
  }
}
