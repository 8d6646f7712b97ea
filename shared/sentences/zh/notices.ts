import type { NoticeKind } from '../../notice-classes.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { shapeGlyphs, type NoticeFact, type TrayWords } from '../types.ts'
import { used } from './cost.ts'
import { budget, done, fail, hold, need, offered, pause, thenGoesOn } from './reasons.ts'
import { zh } from './spaced.ts'
import { say } from './states.ts'

const figures = figuresOf('zh-CN')

const noticeClassWords: Readonly<Record<NoticeKind, string>> = {
  'goal-reached': '目标达成或轮数用完',
  'needs-you': '会话等你处理',
  'injection-failed': '下一句没送到',
  'held-long': '下一句等了很久',
  budget: '预算用完',
  limit: '提供方额度用完，或又能用了',
  'alarm-due': '闹钟响了',
  'alarm-missed': '错过闹钟',
  'proxy-error': '引擎出了问题',
  'quiet-over': '免打扰时段的通知',
}
export const noticeClass = (kind: NoticeKind): string => noticeClassWords[kind]

export function notice(fact: NoticeFact): { title: string; body: string } {
  switch (fact.class) {
    case 'goal-reached':
      return {
        title: fact.reason.code === 'goal-reached' ? zh`${fact.name}：目标达成` : zh`${fact.name}：已完成`,
        body: proof(fact),
      }
    case 'needs-you':
      return {
        title: fact.failure ? stopped(fact.name, fact.failure.provider) : zh`${fact.name}：等你处理`,
        body: asked(fact),
      }
    case 'injection-failed':
      return { title: zh`${fact.name}：停了`, body: fail(fact.reason) }
    case 'held-long':
      return {
        title: zh`${fact.name}：下一句还在等`,
        body: zh`${hold(fact.reason)}，已等 ${figures.span(fact.heldMs)}`,
      }
    case 'budget':
      return {
        title: zh`${fact.name}：停下来问你`,
        body: zh`预算用完：${budget(fact.budget, fact.limit)}` + thenGoesOn(fact.goesOnAt),
      }
    case 'limit':
      if (fact.change === 'back')
        return {
          title: zh`${fact.provider} 又能用了`,
          body: fact.waited?.length ? zh`${fact.waited.join('、')} 可以接着跑了` : '请求又会发到那里',
        }
      return fact.change === 'lifted'
        ? { title: zh`${fact.provider}：额度恢复`, body: '请求又会发到那里' }
        : {
            title: zh`${fact.provider}：额度用完`,
            body: fact.liftsAt === null ? '没说何时恢复' : zh`${figures.minute(fact.liftsAt)} 恢复`,
          }
    case 'alarm-due':
      return {
        title: zh`${fact.name}：闹钟`,
        body: `${at(fact.at, fact.message)}${andMore(fact.more)}`,
      }
    case 'alarm-missed':
      return fact.more === 0
        ? { title: zh`${fact.name}：错过闹钟`, body: at(fact.at, fact.message) }
        : {
            title: zh`错过 ${fact.more + 1} 个闹钟`,
            body: `${fact.name}，${at(fact.at, fact.message)}${andMore(fact.more)}`,
          }
    case 'proxy-error':
      return { title: 'Onward 出了问题', body: excerpt(fact.message) }
    case 'quiet-over':
      return { title: zh`免打扰时段有 ${fact.count} 条通知`, body: waiting(fact.needs) }
  }
}

const MOST_NAMES = 5
const waiting = (names: readonly string[]): string => {
  const shown = names.slice(0, MOST_NAMES)
  const left = names.length - shown.length
  if (names.length === 0) return '没有会话等你处理'
  return left === 0 ? zh`${shown.join('、')} 等你处理` : zh`${shown.join('、')} 等 ${names.length} 个会话等你处理`
}
const at = (instant: number, message: string): string => `${figures.minute(instant)}  ${excerpt(message)}`.trimEnd()
const stopped = (name: string, provider: string | null): string =>
  provider === null ? zh`${name}：停了，回合失败` : zh`${name}：停了，${provider} 出错`
const andMore = (more: number): string => (more === 0 ? '' : zh`，还有 ${more} 个`)

/** Adds how a goal was found reached, where the sentence does not say it. */
const proof = ({ reason, spent }: Extract<NoticeFact, { class: 'goal-reached' }>): string => {
  const said = `${done(reason)}${spent && spent.tokens > 0 ? `（${used(spent)}）` : ''}`
  return reason.code === 'goal-reached' && reason.checks && reason.evidence
    ? `${said}。${excerpt(reason.evidence)}`
    : said
}

const asked = ({
  pause: reason,
  leftGoal,
  what,
  choices,
  failure,
  stalledSince,
  drives,
  rests,
}: Extract<NoticeFact, { class: 'needs-you' }>): string => {
  if (rests) return say({ code: 'gone', rests }, 0)
  if (drives) return say({ code: 'drives-ask', ...drives }, 0)
  if (stalledSince !== undefined) return say({ code: 'stalled', since: stalledSince }, 0)
  if (failure) return say({ code: 'turn-failed', ...failure }, 0)
  if (reason) return pause(reason)
  if (leftGoal === null) return '在这里接着跑吗？目标是在之前的对话里设的'
  return leftGoal === undefined ? `${need(what)}${offered(choices)}` : say({ code: 'left-goal', text: leftGoal }, 0)
}

export const tray: TrayWords = {
  status: ({ host, port, working, paused }) =>
    zh`引擎在 ${host}:${port}，${paused ? '全部暂停' : working === 0 ? '空闲' : zh`${working} 个运行中`}`,
  stopped: '引擎没有运行',
  awake: ({ goals, problem }) =>
    problem === undefined ? zh`有 ${goals} 个目标，电脑不睡眠` : zh`没能让电脑不睡眠：${problem}`,
  finishing: (answers) => zh`正在完成 ${answers} 个回答`,
  session: (name, shape, said, now) => zh`${shapeGlyphs[shape]} ${name}：${say(said, now)}`,
  more: (count) => zh`面板里还有 ${count} 个`,
  pauseAll: '全部暂停',
  resumeAll: '全部继续',
  newTerminal: '新建终端…',
  copyBaseUrl: '复制接口地址',
  openDashboard: '打开面板',
  settings: '设置…',
  startAtLogin: '登录时启动，只在托盘',
  checkForUpdates: '检查更新',
  quit: '退出',
  fails: (provider, since, now) =>
    since === null
      ? zh`${shapeGlyphs.failed} ${provider} 连续失败`
      : zh`${shapeGlyphs.failed} ${provider} 从 ${figures.minuteOfDay(since, now)} 起连续失败`,
  limit: (provider, lifts) => zh`${provider} 的额度用完${lifts === null ? '' : zh`，${figures.minute(lifts)} 恢复`}`,
  tooltip: ({ working, needsYou, paused }) =>
    zh`Onward：${needsYou > 0 ? zh`${needsYou} 个等你处理` : paused ? '全部暂停' : working > 0 ? zh`${working} 个运行中` : '空闲'}`,
  open: '打开',
  nextAlarm: (dueAt, task, now) => zh`下一个闹钟 ${figures.minuteOfDay(dueAt, now)}：${excerpt(task, 40)}`,
  missedAlarms: (count) => zh`错过 ${count} 个闹钟`,
  snooze: '10 分钟后再响',
  cancelAlarm: '取消',
  reArm: '重新开始',
  continue: '继续',
}
