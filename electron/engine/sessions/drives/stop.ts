import type { DriveKind, OwnDrive } from '../../../../shared/drives.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { drivesOf } from './profiles.ts'

/** What its agent is told to stop, in the agent's own terms; goals end by a command of it. null: nothing of it */
export function stopText(client: ClientKind, drives: readonly OwnDrive[]): string | null {
  const { stops } = drivesOf(client)
  const lines = drives.flatMap(({ kind, id, what }) => {
    if (kind === 'goal') return []
    const words = what === null ? '' : ` “${what}”`
    const named = kind === 'loop' || kind === 'wakeup' ? words : `${words} (${id})`
    const by = stops?.[kind]
    return [`Stop the ${names[kind]}${named}${by ? `, with ${by}` : ''}.`]
  })
  return lines.length === 0
    ? null
    : `${[...new Set(lines)].join('\n')}\nDo nothing else, set nothing in its place, and end your turn.`
}

const names: Readonly<Record<Exclude<DriveKind, 'goal'>, string>> = {
  loop: 'loop',
  wakeup: 'scheduled wakeup',
  schedule: 'scheduled prompt',
  command: 'background command',
  monitor: 'monitor',
  agent: 'sub-agent',
}
