import { z } from 'zod'
import type { LaunchInput } from '../agents/types.ts'
import { signalCommand, type Signal } from './signals.ts'

/**
 * Returns the hooks of an agent's process, in the form of Claude Code's settings that Qwen Code has too. They follow
 * those of a person that stand in the same settings; those of all other files run as well. In the background, so that
 * none holds up the agent; at its end it would be cut off there.
 */
export function signalHooks(
  { signalFile, platform }: LaunchInput,
  own?: unknown,
): Readonly<Record<string, unknown>> | null {
  const persons = z.record(z.string(), z.array(z.unknown())).optional().safeParse(own)
  // its shell there is no POSIX one for certain; what the agent can't read it reports itself
  if (signalFile === undefined || platform === 'win32' || !persons.success) return null
  const hook = (event: string, signal: Signal, async = true) => ({
    [event]: [
      ...(persons.data?.[event] ?? []),
      { hooks: [{ type: 'command', command: signalCommand(signalFile, signal), async }] },
    ],
  })
  return {
    ...persons.data,
    ...hook('Stop', 'rests'),
    ...hook('PermissionRequest', 'asks'),
    ...hook('SessionEnd', 'ends', false),
  }
}
