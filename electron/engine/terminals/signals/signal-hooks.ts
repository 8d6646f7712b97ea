import { z } from 'zod'
import type { LaunchInput } from '../agents/types.ts'
import { signalCommand, type Signal } from './signals.ts'

/** What the events of an agent's hooks are called, and how one is written. */
export interface HookForm {
  events: Readonly<Record<Signal, string>>
  hook(command: string, async: boolean): object
}

const ofClaude: HookForm = {
  events: { rests: 'Stop', asks: 'PermissionRequest', ends: 'SessionEnd' },
  hook: (command, async) => ({ type: 'command', command, async }),
}

/**
 * Returns the hooks of an agent's process, in the form of Claude Code's settings that Qwen Code and Gemini CLI have
 * too. They follow those of a person that stand in the same settings; those of all other files run as well. In the
 * background where the agent has that, so that none holds it up; at its end it would be cut off there.
 */
export function signalHooks(
  { signalFile, platform }: LaunchInput,
  own?: unknown,
  { events, hook: written } = ofClaude,
): Readonly<Record<string, unknown>> | null {
  const persons = z.record(z.string(), z.array(z.unknown())).optional().safeParse(own)
  // its shell there is no POSIX one for certain; what the agent can't read it reports itself
  if (signalFile === undefined || platform === 'win32' || !persons.success) return null
  const hook = (signal: Signal, async = true) => ({
    [events[signal]]: [
      ...(persons.data?.[events[signal]] ?? []),
      { hooks: [written(signalCommand(signalFile, signal), async)] },
    ],
  })
  return {
    ...persons.data,
    ...hook('rests'),
    ...hook('asks'),
    ...hook('ends', false),
  }
}
