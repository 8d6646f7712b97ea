import { areDays, everyDay, workdays, type RepeatRule } from '../../alarms/repeat.ts'
import { providerOfTarget } from '../../outage.ts'
import type { FinishKind, FollowupSource } from '../../events.ts'
import type { FailedTurn, OutboxState, SessionSay } from '../../state.ts'
import type { RequestKind, SessionShape } from '../../words.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { clockTime, endDay, inZone, type RepeatFacts } from '../repeat-facts.ts'
import { callFailure } from './call-failure.ts'
import { driveName } from './drives.ts'
import { background, budget, done, fail, hold, need, pause, rests } from './reasons.ts'
import { zh } from './spaced.ts'

const figures = figuresOf('zh-CN')

export function say(said: SessionSay, now: number): string {
  switch (said.code) {
    case 'working':
      return zh`第 ${said.turn} 回合，已运行 ${figures.span(now - said.since)}`
    case 'needs-you':
      return need(said.what)
    case 'held':
      return hold(said.reason)
    case 'queued':
      return '下一句已排队，代理空下来就输入'
    case 'awaiting-receipt':
      return '下一句已替你输入，等待回执'
    case 'reviewing':
      return zh`正在复核第 ${said.round} 轮`
    case 'paused':
      return said.failure
        ? zh`${pause(said.reason)}。${say({ code: 'turn-failed', ...said.failure, waiting: said.waiting }, now)}`
        : zh`${pause(said.reason)}${waiting(said.waiting)}`
    case 'done':
      return done(said.reason)
    case 'failed':
      return fail(said.reason)
    case 'armed':
      return '已设目标，下一回合结束就续跑'
    case 'background-work':
      return zh`在等${background(said)}（${figures.minute(said.since)} 起，${figures.minute(said.until)} 接着跑）`
    case 'limited':
      return limited(said, now)
    case 'idle':
      if (said.but === 'marker-held') return '空闲，有标记在等你决定'
      return said.but ? '空闲，终端的目标设在另一个对话里' : '空闲，没有设目标'
    case 'gone':
      if (said.rests) return zh`代理自己结束了，没有再启动：${rests(said.rests)}`
      return said.quit ? '已断开，代理已退出' : '已断开，终端已关闭'
    case 'retrying':
      return zh`代理在重试：${turnFailure(said)}，已试 ${said.tries} 次`
    case 'drives-ask':
      return said.drive
        ? zh`先问你：它自己的${driveName(said.drive)}已用满 ${budget(said.budget, said.limit)}`
        : zh`它自行继续，先问你：已用满 ${budget(said.budget, said.limit)}`
    case 'stalled':
      return zh`${figures.minute(said.since)} 起没有动静：可能有工具卡住`
    case 'turn-failed': {
      const then = said.goesOn ? zh`。${goesOn(said.goesOn)}` : ''
      const rest = `${turnFailure(said)}${waiting(said.waiting)}${behindLimit(said)}${then}`
      return said.tries === 1
        ? zh`上一回合 ${figures.minute(said.since)} 失败：${rest}`
        : zh`从 ${figures.minute(said.since)} 起失败：${rest}`
    }
    case 'left':
      return '已断开，终端里换了一个对话'
    case 'left-goal':
      return zh`在这里接着跑吗？目标“${excerpt(said.text, 60)}”是在之前的对话里设的`
  }
}

const waiting = (count = 0): string => (count === 0 ? '' : zh`，${count} 句在排队`)

const failure = ({ provider, status }: { provider: string | null; status: number }): string => {
  const what = status < 400 ? '回答中途断开' : zh`返回 ${status}`
  return provider === null ? what : zh`${provider} ${what}`
}

function turnFailure(said: Pick<FailedTurn, 'provider' | 'status' | 'tried'>): string {
  const last = said.tried.at(-1)
  return last?.status === null ? zh`${last.provider} ${callFailure(last.code)}` : failure(said)
}

/** When what it failed for is over: a person may wait for that. */
function behindLimit({ limit }: FailedTurn): string {
  if (!limit) return ''
  return limit.lifts === null
    ? zh`。${limit.provider} 没说额度何时恢复`
    : zh`。${limit.provider} 的额度 ${figures.minute(limit.lifts)} 恢复`
}

export function goesOn({ targets, tryAt }: NonNullable<FailedTurn['goesOn']>): string {
  const [first, ...others] = targets
  if (tryAt !== null) return zh`会自己接着跑，${figures.minute(tryAt)} 再试`
  if (first === undefined) return '会自己接着跑'
  return zh`${providerOfTarget(first)}${others.length > 0 ? '（或线路上的另一个）' : ''} 恢复后自己接着跑`
}

function limited({ provider, since, lifts, resumeAt }: Extract<SessionSay, { code: 'limited' }>, now: number): string {
  const reached = zh`${provider} 的额度 ${figures.minute(since)} 用完`
  if (resumeAt !== null) return zh`${reached}，${figures.minute(resumeAt)} 接着跑，还有 ${figures.left(resumeAt, now)}`
  return lifts === null
    ? zh`${reached}，没说何时恢复`
    : zh`${reached}，${figures.minute(lifts)} 恢复，还有 ${figures.left(lifts, now)}`
}

export function lastSeen(said: SessionSay): string {
  switch (said.code) {
    case 'working':
      return zh`最后看到：第 ${said.turn} 回合在运行`
    case 'needs-you':
      return '最后看到：在等你'
    case 'held':
      return '最后看到：下一句暂缓'
    case 'queued':
      return '最后看到：下一句在排队'
    case 'awaiting-receipt':
      return '最后看到：在等回执'
    case 'reviewing':
      return '最后看到：正在复核'
    case 'paused':
      return '最后看到：已暂停'
    case 'done':
      return '最后看到：已完成'
    case 'failed':
      return '最后看到：失败'
    case 'armed':
      return '最后看到：已设目标'
    case 'background-work':
      return zh`最后看到：在等${background(said)}`
    case 'limited':
      return '最后看到：额度用完'
    case 'idle':
      return '最后看到：空闲'
    case 'gone':
    case 'left':
      return say(said, 0)
    case 'retrying':
      return '最后看到：代理在重试'
    case 'drives-ask':
      return '最后看到：在问你它可否自行继续'
    case 'stalled':
      return '最后看到：很久没有动静'
    case 'turn-failed':
      return '最后看到：上一回合失败'
    case 'left-goal':
      return '最后看到：在等你决定目标'
  }
}

export function turn(number: number | null, kind: RequestKind): string {
  switch (kind) {
    case 'turn':
      return number === null ? '一个回合' : zh`第 ${number} 回合`
    case 'subagent':
      return '子代理的回合'
    case 'title':
      return '起标题'
    case 'compaction':
      return '压缩历史'
    case 'count':
      return '数 token'
    case 'probe':
      return '探测'
    case 'aside':
      return '旁支请求'
    case 'warm':
      return '续缓存'
  }
}

const endedWords: Readonly<Record<FinishKind, string>> = {
  stop: '正常结束',
  'tool-calls': '以工具调用结束',
  length: '到长度上限结束',
  'content-filter': '被内容过滤截断',
  refusal: '被模型拒绝',
  'pause-turn': '被提供方暂停',
  incomplete: '没有完整结束',
  error: '失败',
  'broken-off': '中途断开',
}
export const ended = (finish: FinishKind): string => endedWords[finish]

const finishWords: Readonly<Record<FinishKind, string>> = {
  stop: '正常',
  'tool-calls': '工具调用',
  length: '长度上限',
  'content-filter': '内容过滤',
  refusal: '拒绝',
  'pause-turn': '暂停',
  incomplete: '不完整',
  error: '失败',
  'broken-off': '断开',
}
export const finish = (kind: FinishKind): string => finishWords[kind]

const shapeWords: Readonly<Record<SessionShape, string>> = {
  working: '运行中',
  needs: '等你处理',
  held: '暂缓',
  idle: '空闲',
  done: '已完成',
  failed: '失败',
  paused: '已暂停',
  gone: '已断开',
}
export const shape = (kind: SessionShape): string => shapeWords[kind]

const outboxWords: Readonly<Record<OutboxState, string>> = {
  queued: '已排队',
  typing: '正在输入',
  submitted: '已发出',
  confirmed: '已送达',
  unknown: '不确定',
  failed: '失败',
  cancelled: '已取消',
  superseded: '已放弃',
  expired: '已过期',
}
export const outbox = (state: OutboxState): string => outboxWords[state]

const sourceWords: Readonly<Record<FollowupSource, string>> = {
  stopMessage: '续跑',
  clock: '闹钟',
  continue_execution: '模型要求',
  revive: '代理再启动后接着跑',
  recover: '失败后接着跑',
  user: '你写的',
  program: '另一个程序写的',
}
export const source = (from: FollowupSource): string => sourceWords[from]

const names = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

function rule(said: RepeatRule): string {
  if (said.kind === 'interval') return zh`每 ${figuresOf('zh-CN').span(said.ms)}`
  const { weekdays, monthDay } = said
  if (monthDay !== undefined) return zh`每月 ${monthDay} 日 ${clockTime(said)}`
  const which = areDays(weekdays, everyDay)
    ? '每天'
    : areDays(weekdays, workdays)
      ? '每个工作日'
      : `每${weekdays.map((day) => names[day] ?? '').join('、')}`
  return zh`${which} ${clockTime(said)}`
}

const briefly = (repeat: RepeatFacts): string => `${rule(repeat.rule)}${inZone(repeat, (zone) => `（${zone}）`)}`

export const repeats = {
  repeat: (repeat: RepeatFacts): string =>
    repeat.times === 1
      ? zh`${briefly(repeat)}，一次`
      : zh`${briefly(repeat)}，到 ${endDay('zh-CN', repeat)}，共 ${repeat.times} 次`,
  repeatNow: (repeat: RepeatFacts & { nth: number }): string =>
    zh`${briefly(repeat)}，第 ${repeat.nth} 次，共 ${repeat.times} 次`,
}
