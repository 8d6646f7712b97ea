import { expect, it } from 'vitest'
import type { DriveKind, OwnDrive } from '../../../../shared/drives.ts'
import { stopText } from './stop.ts'

const drive = (kind: DriveKind, id: string, what: string | null) => ({ kind, id, what }) as OwnDrive
const end = 'Do nothing else, set nothing in its place, and end your turn.'

it('tells an agent in its own terms what to stop; a goal ends by its command', () => {
  const drives = [
    drive('goal', 'goal', 'all green'),
    drive('schedule', 'c1', 'check'),
    drive('wakeup', 'loop', 'look'),
    drive('command', 'b1', null),
  ]
  expect(stopText('claude', drives)).toBe(
    'Stop the scheduled prompt “check” (c1), with CronDelete.\n' +
      'Stop the scheduled wakeup “look”, with ScheduleWakeup with stop: true.\n' +
      `Stop the background command (b1), with TaskStop.\n${end}`,
  )
  expect(stopText('codex', [drive('command', '57399', 'npm run dev')])).toBe(
    `Stop the background command “npm run dev” (57399).\n${end}`,
  )
  expect(stopText('codex', drives.slice(0, 1))).toBeNull()
})
