import { asksAtBound, type AskingDrive, type DriveKind, type OwnDrive } from '../../drives.ts'
import { excerpt } from '../excerpt.ts'
import { budget } from './reasons.ts'
import { zh } from './spaced.ts'

/** 用在句子里。 */
export const driveName = ({ kind, what }: AskingDrive): string =>
  `${kinds[kind]}${what === null ? '' : `“${excerpt(what, 60)}”`}`

export const driveKind = (kind: DriveKind): string => kinds[kind]

const kinds: Readonly<Record<DriveKind, string>> = {
  goal: '目标',
  loop: '循环',
  wakeup: '唤醒',
  schedule: '定时',
  command: '命令',
  monitor: '监视',
  agent: '子代理',
}

export function driveState(drive: OwnDrive): string {
  const { state } = drive
  if (asksAtBound(drive)) return zh`先问你：已用满 ${budget(drive.bound.asked.budget, drive.bound.asked.limit)}`
  switch (state.is) {
    case 'on':
      return drive.works ? '当前这一回合由它开始' : goes(drive)
    case 'over':
      return { ended: '已结束', fired: '已按时到来', cleared: '已撤销' }[state.how]
    case 'unknown':
      return `${unsure[state.why]}，不知道它是否还在`
    case 'stopping':
      return state.refuses ? '你已停止它；它的下一回合会被拒绝' : '你已停止它；正在告知代理'
    case 'stopped':
      return stopped[state.how]
    case 'missed':
      return state.rescued ? '没有按时到来；已由 Onward 的闹钟代替' : '没有按时到来'
  }
}

const stopped = {
  'by-agent': '已按你的要求停止',
  refused: '已停止：它的一个回合被拒绝',
  paused: '已按你的要求在代理中暂停',
}

const unsure = {
  'agent-ended': '代理已结束',
  history: '在 Onward 看到之前设置',
  compaction: '对话被压缩过',
  failed: '有一个回合失败了',
  quiet: '之后来过消息，没有再看到它',
  told: '你让它继续之前，代理已被告知停止',
}

function goes(drive: OwnDrive): string {
  switch (drive.kind) {
    case 'goal':
      return '代理停下时会继续'
    case 'loop':
      return '每一次由代理设定下一次'
    case 'wakeup':
      return '只来一次'
    case 'schedule':
      return drive.once || drive.cron === '' ? '只来一次' : `按 ${drive.cron} 到来`
    case 'command':
    case 'agent':
      return '在代理之外运行，结束时唤醒它'
    case 'monitor':
      return '有事件时唤醒代理'
  }
}

/** When it comes next, where that is no time. */
export const driveNext = ({ kind }: Pick<OwnDrive, 'kind'>): string =>
  kind === 'goal' ? '停下时' : kind === 'monitor' ? '有事件时' : '结束时'
