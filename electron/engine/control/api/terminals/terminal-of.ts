import type { Input } from '../../../../../shared/operations/index.ts'
import type { TerminalsRegistry } from '../../../sessions/binding/terminals-registry.ts'

/** Finds the terminal that a program runs in, the nearest where they stand in each other; null: none. */
export function terminalOf(
  registry: Pick<TerminalsRegistry, 'byKey' | 'list' | 'alive'>,
  { keys, pids }: Input<'terminalOf'>,
): string | null {
  const byKey = keys.map(registry.byKey).find((found) => found !== null)
  if (byKey) return byKey.terminalId
  // One that was found has no key, and its pane may belong to the person's shell again.
  const living = registry.list().filter(registry.alive)
  const ofPid = (pid: number) => living.find(({ agentPid, pane }) => agentPid === pid || pane?.panePid === pid)
  return pids.map(ofPid).find((found) => found !== undefined)?.terminalId ?? null
}
