import { z } from 'zod'
import type { ExcerptCall, TurnExcerpt } from '../turn-excerpt.ts'

/** Open work according to a folder's beads. */

export type BeadsState =
  /** no `.beads`, or it can't be found out: the goal goes on */
  { kind: 'unknown' } | { kind: 'open'; say: string } | { kind: 'finished' }

/**
 * Reads the beads' state from the agent's own calls of `bd`, for when Onward can't ask itself. Only results of the
 * command count, never what the agent says about them: the last `bd ready` and the last list of work in progress must
 * both be empty, with no change to the beads after them.
 */
export function beadActivity(turn: TurnExcerpt | null): BeadsState {
  let nothingReady = false
  let nothingInProgress = false
  for (const call of turn?.calls ?? []) {
    const orders = bdOrders(call)
    if (orders.length === 0) continue
    const empty = !call.isError && call.result !== null && saysNothing(call.result)
    for (const order of orders) {
      if (order === 'ready') nothingReady = empty
      else if (order === 'in-progress') nothingInProgress = empty
      else if (order === 'change') nothingReady = nothingInProgress = false
    }
  }
  return nothingReady && nothingInProgress ? { kind: 'finished' } : { kind: 'unknown' }
}

type Order = 'ready' | 'in-progress' | 'change' | 'look'

const readOnly = [
  'show',
  'list',
  'stats',
  'status',
  'info',
  'help',
  'version',
  'sync',
  'export',
  'prime',
  'close',
  'comments',
  'doctor',
]

/** Returns the bd orders in a shell call. Closing an issue may make others ready, so it counts as a change. */
function bdOrders(call: ExcerptCall): Order[] {
  const command = commandOf(call)
  if (command === null) return []
  return [...command.matchAll(/(?:^|[\s;&|("'/])bd(?:\s+--?[a-z][\w-]*)*\s+([a-z][a-z-]*)([^;&|\n]*)/g)].map(
    ([, order = '', rest = '']): Order => {
      // A filter could hide what others would show.
      if (order === 'ready') return /--(?!json\b|limit\b|no-db\b)\w/.test(rest) ? 'look' : 'ready'
      if (order === 'list' && /--status[= ]["']?in_progress\b/.test(rest))
        return /--(?!json\b|limit\b|no-db\b|status\b)\w/.test(rest) ? 'look' : 'in-progress'
      return order !== 'close' && readOnly.includes(order) ? 'look' : 'change'
    },
  )
}

/** Shell tools of agents take `command` or `cmd`, a text or a list of words. */
const argumentsShape = z.looseObject({
  command: z.union([z.string(), z.array(z.string())]).optional(),
  cmd: z.union([z.string(), z.array(z.string())]).optional(),
})

function commandOf(call: ExcerptCall): string | null {
  try {
    const given = argumentsShape.safeParse(JSON.parse(call.arguments))
    const command = given.success ? (given.data.command ?? given.data.cmd) : undefined
    return command === undefined ? null : typeof command === 'string' ? command : command.join(' ')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** bd's own words for an empty answer: `[]` with --json, else these (beads 0.20 to 0.60). */
const emptyLine =
  /^(?:\[\s*\]|(?:✨ )?No open issues\.?|(?:✨ )?No ready work found\b.*|No issues found\.?|Found 0 issues:?)$/u
/** Lines that agents add to a result: exit code, time, a heading. */
const aroundLine =
  /^(?:|(?:Process exited with |Exit )code:? 0|exit_code: 0|Wall time: [\d.]+ (?:s|seconds)|(?:Total output lines|Original token count|Chunk ID): \S+|Output:|stdout:|stderr:)$/i

const wrapped = z.looseObject({ output: z.string() })

function saysNothing(result: string): boolean {
  const lines = unwrapped(result)
    .split('\n')
    .map((line) => line.trim())
  return (
    lines.some((line) => emptyLine.test(line)) && lines.every((line) => emptyLine.test(line) || aroundLine.test(line))
  )
}

/** Codex wraps results as `{"output": …, "metadata": …}`. */
function unwrapped(result: string): string {
  if (!result.trimStart().startsWith('{')) return result
  try {
    const found = wrapped.safeParse(JSON.parse(result))
    return found.success ? found.data.output : result
  } catch (error) {
    if (error instanceof SyntaxError) return result
    throw error
  }
}
