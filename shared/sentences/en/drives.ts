import { asksAtBound, type AskingDrive, type DriveKind, type OwnDrive } from '../../drives.ts'
import { excerpt } from '../excerpt.ts'
import { budget } from './reasons.ts'

/** Within a sentence. */
export const driveName = ({ kind, what }: AskingDrive): string =>
  `${kinds[kind].toLowerCase()}${what === null ? '' : ` “${excerpt(what, 60)}”`}`

export const driveKind = (kind: DriveKind): string => kinds[kind]

const kinds: Readonly<Record<DriveKind, string>> = {
  goal: 'Goal',
  loop: 'Loop',
  wakeup: 'Wakeup',
  schedule: 'Schedule',
  command: 'Shell',
  monitor: 'Monitor',
  agent: 'Sub-agent',
}

export function driveState(drive: OwnDrive): string {
  const { state } = drive
  if (asksAtBound(drive)) return `asks: ${budget(drive.bound.asked.budget, drive.bound.asked.limit)} are used`
  switch (state.is) {
    case 'on':
      return drive.works ? 'began the turn that runs' : goes(drive)
    case 'over':
      return { ended: 'ended', fired: 'came at its time', cleared: 'taken back' }[state.how]
    case 'unknown':
      return `${unsure[state.why]}; whether it goes on is not known`
    case 'stopping':
      return state.refuses ? 'you stopped it; its next turn is refused' : 'you stopped it; the agent is told'
    case 'stopped':
      return stopped[state.how]
    case 'missed':
      return state.rescued ? 'did not come; Onward’s alarm took its place' : 'did not come at its time'
  }
}

const stopped = {
  'by-agent': 'stopped, as you asked',
  refused: 'stopped: its turn was refused',
  paused: 'paused in the agent, as you asked',
}

const unsure = {
  'agent-ended': 'its agent ended',
  history: 'set before Onward saw it',
  compaction: 'the conversation was compacted',
  failed: 'a turn failed',
  quiet: 'a message came since, and nothing of it',
  told: 'the agent was told to stop it before you let it go on',
}

function goes(drive: OwnDrive): string {
  switch (drive.kind) {
    case 'goal':
      return 'the agent goes on with it when it stops'
    case 'loop':
      return 'the agent sets each next round'
    case 'wakeup':
      return 'comes once'
    case 'schedule':
      return drive.once || drive.cron === '' ? 'comes once' : `comes by ${drive.cron}`
    case 'command':
    case 'agent':
      return 'runs beside the agent, and wakes it when it ends'
    case 'monitor':
      return 'its events wake the agent'
  }
}

/** When it comes next, where that is no time. */
export const driveNext = ({ kind }: Pick<OwnDrive, 'kind'>): string =>
  kind === 'goal' ? 'when it stops' : kind === 'monitor' ? 'at an event' : 'when it ends'
