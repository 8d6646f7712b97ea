import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { RunProgram } from '../../workspace/types.ts'
import { beadActivity, type BeadsState } from './beads/bead-activity.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

export type BeadsMode = 'auto' | 'runtime' | 'heuristic'

export interface Beads {
  /** true if the folder belongs to a beads project */
  has(folder: string): Promise<boolean>
  /** Never rejects. `turn`: what the agent did since the last followup; null: not known */
  ask(folder: string, turn: TurnExcerpt | null, signal: AbortSignal): Promise<BeadsState>
}

export interface BeadsDeps {
  runProgram: RunProgram
  /** `ROUTECODEX_STOPMESSAGE_BD_MODE`, as it stands in the environment */
  mode(): string | undefined
  exists(path: string): Promise<boolean>
}

/** An unknown value means `auto`. */
export function beadsMode(value: string | undefined): BeadsMode {
  const mode = value?.trim().toLowerCase()
  return mode === 'runtime' || mode === 'heuristic' ? mode : 'auto'
}

const TIMEOUT_MS = 10_000
/** A longer list is open work all the same, although its beginning is cut off. */
const MOST_OUTPUT = 4 * 1024 * 1024

/** `--no-db`: bd reads the JSONL of the repository and starts no daemon. */
const inProgress = ['bd', '--no-db', 'list', '--status', 'in_progress', '--json']
const ready = ['bd', '--no-db', 'ready', '--json']

export function createBeads({ runProgram, mode, exists }: BeadsDeps): Beads {
  const has = async (folder: string): Promise<boolean> => {
    if (await exists(join(folder, '.beads'))) return true
    // A project's beads are at its root; above it they belong to another. Without a root only the folder itself counts.
    const root = await gitRoot(folder, exists)
    if (root === null) return false
    for (let at = folder; at !== root;) {
      at = dirname(at)
      if (await exists(join(at, '.beads'))) return true
    }
    return false
  }

  /** how many; null: the command is missing, failed, or did not answer in JSON */
  const count = async (argv: readonly string[], folder: string, signal: AbortSignal): Promise<number | null> => {
    const end = await runProgram({ argv, cwd: folder, timeoutMs: TIMEOUT_MS, outputChars: MOST_OUTPUT }, signal)
    return end.kind === 'exited' && end.exitCode === 0 ? lengthOf(end.stdout) : null
  }

  return {
    has,
    async ask(folder, turn, signal) {
      if (!(await has(folder))) return { kind: 'unknown' }
      const how = beadsMode(mode())
      if (how === 'heuristic') return beadActivity(turn)
      const working = await count(inProgress, folder, signal)
      const waiting = working === null ? null : await count(ready, folder, signal)
      // Work in progress is open work, whatever the other answer is.
      if (working !== null && (working > 0 || (waiting ?? 0) > 0))
        return {
          kind: 'open',
          say: waiting === null ? `${working} in progress` : `${working} in progress, ${waiting} ready`,
        }
      if (working === 0 && waiting === 0) return { kind: 'finished' }
      return how === 'runtime' || signal.aborted ? { kind: 'unknown' } : beadActivity(turn)
    },
  }
}

async function gitRoot(folder: string, exists: (path: string) => Promise<boolean>): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

const issues = z.array(z.unknown())

function lengthOf(output: string): number | null {
  try {
    const list = issues.safeParse(JSON.parse(output))
    return list.success ? list.data.length : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
