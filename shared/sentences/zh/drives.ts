import type { DriveKind, OwnDrive } from '../../drives.ts'

export const driveKind = (kind: DriveKind): string => kinds[kind]

const kinds: Readonly<Record<DriveKind, string>> = {
  goal: '目标',
  loop: '循环',
  wakeup: '唤醒',
  schedule: '定时',
  command: '命令',
  monitor: '监视',
  agent: '子智能体',
}

export function driveState(drive: OwnDrive): string {
  const { state } = drive
  switch (state.is) {
    case 'on':
      return drive.works ? '当前这一轮由它开始' : goes(drive)
    case 'over':
      return { ended: '已结束', fired: '已按时到来', cleared: '已撤销' }[state.how]
    case 'unknown':
      return state.why === 'agent-ended' ? '智能体已结束，不知道它是否还在' : '在 Onward 看到之前设置，不知道它是否还在'
    case 'stopping':
      return state.refuses ? '你已停止它；它的下一轮会被拒绝' : '你已停止它；正在告知智能体'
    case 'stopped':
      return state.how === 'refused' ? '已停止：它的一轮被拒绝' : '已按你的要求停止'
    case 'missed':
      return state.rescued === null ? '没有按时到来' : '没有按时到来；已由 Onward 的闹钟代替'
  }
}

function goes(drive: OwnDrive): string {
  switch (drive.kind) {
    case 'goal':
      return '智能体停下时会继续'
    case 'loop':
      return '每一轮由智能体设定下一轮'
    case 'wakeup':
      return '只来一次'
    case 'schedule':
      return drive.once || drive.cron === '' ? '只来一次' : `按 ${drive.cron} 到来`
    case 'command':
    case 'agent':
      return '在智能体之外运行，结束时唤醒它'
    case 'monitor':
      return '有事件时唤醒智能体'
  }
}

/** When it comes next, where that is no time. */
export const driveNext = ({ kind }: Pick<OwnDrive, 'kind'>): string =>
  kind === 'goal' ? '停下时' : kind === 'monitor' ? '有事件时' : '结束时'
