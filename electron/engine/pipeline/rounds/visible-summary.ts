import type { HiddenNames } from '../../protocol/server-tools.ts'
import type { ResponseSummary } from '../../protocol/types.ts'
import type { TurnEnd } from '../turn.ts'

/** The answer as the client has it: without calls of Onward's own. */
export function visibleSummary({ summary }: TurnEnd, names: HiddenNames): ResponseSummary {
  if (names.size === 0 || !summary.toolNames.some((name) => names.has(name))) return summary
  const toolNames = summary.toolNames.filter((name) => !names.has(name))
  return {
    ...summary,
    toolNames,
    finish: toolNames.length === 0 && summary.finish === 'tool-calls' ? 'stop' : summary.finish,
  }
}
