import type { OwnDrive } from '../../../../shared/drives.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { backgroundProfiles } from '../background/profiles.ts'
import { nothingSeen, plainName, type BackgroundFound, type NamedWork } from '../activity.ts'
import { personTexts } from '../identify/person-text.ts'
import { comesEachHour } from './cron.ts'
import { drivesOf, type Drive } from './profiles.ts'
import { endsIn, observe, promptOf, type DriveStep } from './reduce.ts'

/** The drives that a conversation shows, as if all of it happened now; times are the places of steps. */
export const drivesIn = (client: ClientKind, steps: readonly DriveStep[]): readonly OwnDrive[] =>
  steps.reduce<readonly OwnDrive[]>(
    (drives, step, at) => observe(client, drives, step, { at, live: true, version: null }),
    [],
  )

/**
 * Returns whether the agent's own goal, loop or schedule drives the session, by the latest state its request shows.
 *
 * Standing down for ever would be worse than one followup too many: a drive that is over may leave no trace (a goal
 * that was met, a loop that ended with its program). So only the part after a person's or Onward's last words counts:
 * if something really drives the session, its next turn shows it again.
 */
export function drivenBy(
  client: ClientKind,
  steps: readonly DriveStep[],
  drives = drivesIn(client, steps),
): Drive | null {
  const { signs, jobs } = drivesOf(client)
  if (signs.length === 0 && jobs === null) return null
  const prompts = new Set(drives.flatMap((drive) => ('prompt' in drive ? [drive.prompt] : [])))
  // A person's words are looked for from the end: in a long conversation that is much less than all of it.
  const since = steps.findLastIndex(
    (step) =>
      step.type === 'message' &&
      personTexts(client, step.texts).some((text) => text !== '' && !prompts.has(promptOf(text))),
  )
  const on = (kinds: readonly OwnDrive['kind'][]) =>
    drives.some(
      (drive) => kinds.includes(drive.kind) && drive.state.is === 'on' && drive.seen >= since && goesOn(drive),
    )
  if (on(['goal'])) return 'own-goal'
  if (on(['loop', 'wakeup'])) return 'own-loop'
  return on(['schedule']) ? 'own-schedule' : null
}

/**
 * A loop that is not armed again comes no more. Timed prompts drive a session if one came, or comes within the hour;
 * older ones prove nothing: an agent that was started again may have lost them.
 */
function goesOn(drive: OwnDrive): boolean {
  switch (drive.kind) {
    case 'loop':
    case 'wakeup':
      return drive.armed
    case 'schedule':
      return !drive.once && (drive.seen !== drive.since || drive.cron === '' || comesEachHour(drive.cron))
    default:
      return true
  }
}

/** True if the agent goes on by itself, since a limit was reset. */
export const goesOnAtReset = (client: ClientKind, texts: readonly string[]): boolean =>
  drivesOf(client).atReset?.some((start) => texts.some((text) => text.startsWith(start, text.search(/\S|$/)))) ?? false

/** The last word on each piece of work in the background counts. `turn`: the steps that belong to this turn */
export function backgroundOf(
  client: ClientKind,
  steps: readonly DriveStep[],
  turn: readonly DriveStep[],
  drives = drivesIn(client, steps),
): BackgroundFound {
  const { starts, delegates } = backgroundProfiles[client]
  if (starts.length === 0) return nothingSeen
  const running = drives.flatMap(({ id, kind, what, state }): readonly NamedWork[] =>
    state.is === 'on' && (kind === 'command' || kind === 'monitor' || kind === 'agent') ? [{ id, kind, what }] : [],
  )
  const ended = new Set(steps.flatMap((step) => endsIn(client, step)))
  for (const { id } of running) ended.delete(id)
  const delegated = turn.some(
    (step) =>
      step.type === 'call' && delegates?.tools.includes(plainName(step.name)) && step.result?.match(delegates.done),
  )
  return { running, ended: [...ended], ...(delegated ? { delegated: true } : {}) }
}
