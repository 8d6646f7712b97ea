import { targetText } from '../../target-text.ts'
import { configTrouble } from './config-faults.ts'
import type { AlarmBy, AlarmRoute, ClockSync, MissedWhy } from '../../alarms/alarms.ts'
import type {
  AlarmReleased,
  DriveDid,
  EventBody,
  FollowupSource,
  RecoverEnd,
  HoldEnded,
  TimelineEvent,
} from '../../events.ts'
import { withoutTried } from '../../setup/tried.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { detailOf } from '../needs.ts'
import { driveKind, driveName } from './drives.ts'
import { noticeClass } from './notices.ts'
import { outside } from './outside.ts'
import { budget, cleared, done, fail, hold, markerHeld, need, pause, rests, skip } from './reasons.ts'
import { checkRan, reviewed } from './review.ts'
import { callFailure } from './call-failure.ts'
import { rest } from './routing.ts'
import { zh } from './spaced.ts'
import { ended, turn } from './states.ts'

const figures = figuresOf('zh-CN')
const overs = {
  question: '它的问题已不在屏幕上',
  stall: '又有动静了，工具没有卡住',
  tools: '代理停了下来，没有工具在运行',
} as const
const listed = (tools: readonly string[]): string => [...new Set(tools)].join('、')
/** 时间线的一行末尾没有句号，后面可能跟“为什么”。 */
const unended = (text: string): string => text.replace(/[.。]$/, '')
/** Each upstream that was asked, by name and in words, instead of the list in the message that the client got. */
/** Why a turn failed, without its subject. */
export const turnFailure = ({ error, tried, finish }: Extract<EventBody, { type: 'turn-ended' }>): string =>
  error ? failedTurn(error.message, tried ?? []) : ended(finish)

function failedTurn(message: string, tried: NonNullable<Extract<EventBody, { type: 'turn-ended' }>['tried']>): string {
  if (tried.length === 0) return excerpt(message)
  const said = tried.map(({ provider, code }) => zh`${provider}：${callFailure(code)}`)
  return `${unended(excerpt(withoutTried(message)))}（${[...new Set(said)].join('；')}）`
}

const byWhom = (by: AlarmBy): string => (by === 'model' ? '模型' : by === 'marker' ? '标记' : '你')
const alarms = (ids: readonly string[]): string => (ids.length === 1 ? '闹钟' : `${ids.length} 个闹钟`)

const alarmRoute: Readonly<Record<AlarmRoute, string>> = {
  terminal: '输入终端',
  request: '随会话的请求',
  hold: '在没结束的回答里',
}

const alarmReleased: Readonly<Record<AlarmReleased, string>> = {
  'upstream-failed': '提供方没有回答',
  'client-left': '客户端断开了',
  'taken-back': '被收回了',
  'not-typed': '没能输入',
}

const alarmMissed: Readonly<Record<MissedWhy, string>> = {
  expired: '没能及时送到',
  failed: '终端没有收下',
  unknown: 'Onward 中途退出，不知道送到没有',
}

function alarmSettled(how: Extract<EventBody, { type: 'alarm-settled' }>['how'], ids: readonly string[]): string {
  switch (how) {
    case 'delivered-late':
      return zh`${alarms(ids)}后来还是送到了`
    case 'dismissed':
      return zh`你不再理会错过的${alarms(ids)}`
    case 'rescheduled':
      return '你重新设了错过的闹钟'
  }
}

const holdEnded: Readonly<Record<HoldEnded, string>> = {
  due: '闹钟到点了',
  'client-left': '客户端断开了',
  gone: '闹钟被取消、改期，或已另行送达',
  paused: '自动操作已暂停',
  failed: '闹钟没能取出',
}

function timeSync({ status, offsetMs, lastError }: ClockSync): string {
  switch (status) {
    case 'synced':
      return Math.abs(offsetMs) < 1000
        ? '已和时间服务器对时'
        : zh`已和时间服务器对时：本机差 ${offsetMs < 0 ? '−' : '+'}${figures.took(Math.abs(offsetMs))}`
    case 'stale':
      return '很久没有对时：时间服务器都没有回答'
    case 'error':
      return zh`没能对时${lastError === null ? '' : `：${unended(excerpt(lastError))}`}`
    case 'disabled':
      return '不和时间服务器对时'
  }
}

const rounds = (max: number | null): string => (max === null ? '不限轮数' : zh`${max} 轮`)

const events: { [K in EventBody['type']]: (body: Extract<EventBody, { type: K }>, at: number) => string } = {
  'turn-started': (body) => zh`${turn(null, body.kind)}开始${body.retry ? '，重试上一次' : ''}`,
  'turn-ended'(body) {
    if (body.clientLeft) return zh`${turn(body.turn, body.kind)}：回答没收完，客户端就断开了`
    return zh`${turn(body.turn, body.kind)}${ended(body.finish)}${
      body.error ? `：${failedTurn(body.error.message, body.tried ?? [])}` : ''
    }`
  },
  'marker-applied': (body) => zh`读到标记“${excerpt(body.marker, 60)}”：${body.effect}`,
  'marker-refused': (body) => zh`标记“${excerpt(body.marker, 60)}”无效：${body.message}`,
  'marker-held': (body) => zh`${markerHeld(body.why)}：“${excerpt(body.marker, 60)}”`,
  'marker-forgotten': (body) => zh`你忽略了标记“${excerpt(body.marker, 60)}”`,
  armed: (body) => armed(body),
  'goal-left': (body) => zh`在这里接着跑吗？目标“${excerpt(body.text)}”是在之前的对话里设的`,
  'goal-carried-on': (body) =>
    zh`你让目标“${excerpt(body.text)}”在这里接着跑：已用 ${body.used} 轮，${rounds(body.max)}`,
  'stop-message-edited': (body) =>
    zh`你改了目标“${excerpt(body.text)}”，${rounds(body.max)}${body.review ? '，开启复核' : ''}`,
  'review-started': (body) => zh`开始复核第 ${body.round} 轮`,
  'review-done': (body) => zh`复核：${reviewed(body.review)}`,
  'check-ran': (body) => checkRan(body.run),
  'check-approved': (body) => zh`你允许了检查 ${body.name}：${body.argv.join(' ')}`,
  'check-forgotten': (body) => zh`检查 ${body.name} 不能再运行`,
  matched: (body) =>
    body.max === null
      ? zh`已触发：代理停下，第 ${body.used + 1} 轮`
      : zh`已触发：代理停下，${body.max} 轮中的第 ${body.used + 1} 轮可用`,
  skipped: (body) => skip(body.reason),
  queued: (body) => queued(body.source, body.round),
  'mentions-escaped': () => '这段话出自模型：其中的 @文件、$技能 加了反斜杠，代理不会因此打开任何内容',
  edited: () => '你改了下一句',
  held: (body) => hold(body.reason),
  typed: () => '下一句已输入终端',
  submitted(body) {
    if (body.inbox) return '已交给程序自己的收件箱'
    return body.extraEnter ? '补按一次 Enter 后发出' : '已发出'
  },
  confirmed(body) {
    if (body.withWords) return '已连同你写的话一起发出'
    return body.late
      ? zh`迟到的回执，${figures.took(body.afterMs)}后送达`
      : zh`已送达，${figures.took(body.afterMs)}后收到回执`
  },
  failed: (body) => fail(body.reason),
  unknown: () => fail({ code: 'unknown-after-crash' }),
  'text-removed': (body) => (body.by === 'onward' ? '已从输入行取出' : '按回车前已从输入行消失，不算发出'),
  superseded: (body) => superseded[body.by],
  cancelled: (body) => cancelled[body.by],
  expired: () => '已过期：闹钟太旧，不再输入',
  used: (body) => (body.max === null ? zh`已用 ${body.used} 轮` : zh`${body.max} 轮已用 ${body.used} 轮`),
  paused: (body) =>
    body.what === 'all' && body.reason.code === 'by-user' ? '你暂停了全部自动操作' : pause(body.reason),
  resumed(body) {
    if (body.unanswered) return '没有人回答，轮数由你给定，已自行继续'
    return body.what === 'all' ? '全部自动操作已继续' : '已继续'
  },
  done: (body) => done(body.reason),
  'stop-message-failed': (body) => zh`已停止。${fail(body.reason)}`,
  cleared: (body) => cleared(body.by),
  rebound: (body) => zh`从 ${body.from} 移到 ${body.to}，目标和队列一起带走`,
  'terminal-opened': (body) => zh`终端 ${body.terminalId} 已打开，运行 ${body.client}`,
  'terminal-closed': (body) =>
    zh`终端 ${body.terminalId} 已关闭${body.exitCode === null ? '' : zh`，退出码 ${body.exitCode}`}${
      body.why ? `：${excerpt(body.why)}` : ''
    }`,
  'needs-you': (body) => need(body.what),
  stalled: (body) => zh`${figures.minute(body.since)} 起没有动静，可能有工具卡住了`,
  drive: ({ did, kind, what }) =>
    `${drove[did](kind === null ? '全部' : zh`${driveKind(kind)}`)}${what === null ? '' : `：“${excerpt(what)}”`}`,
  'drives-ask': ({ budget: of, limit, drive }) =>
    zh`代理自己设置的${drive ? driveName(drive) : ''}已用满 ${budget(of, limit)}：在问它可否继续`,
  over: (body) => overs[body.what],
  'dialog-answered': (body) =>
    zh`你${body.key === null ? '选了' : zh`按了 ${body.key}`}“${excerpt(body.choice, 60)}”${about(body.what)}。${
      body.closedMs === null ? '对话框还开着' : zh`对话框过了 ${figures.took(body.closedMs)} 关闭`
    }`,
  notified: (body) =>
    body.to === undefined
      ? notified(noticeClass(body.class), body.result, body.why)
      : zh`通知“${noticeClass(body.class)}”${outside.went(body.to, body.result, body.why)}`,
  'provider-resting': (body, at) =>
    zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`}：${rest(body.rest, at)}`,
  'provider-back': (body) => zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`} 恢复了`,
  'outage-set': (body) => outageSet(body),
  'outage-over': (body) => outageOver(body),
  'limit-reached': (body) =>
    zh`${body.provider} 的额度用完${
      body.lifts === null ? '，没说何时恢复' : zh`，${figures.minute(body.lifts)} 恢复`
    }${body.resumeAt === null ? '' : '，到时替你续跑'}`,
  'resume-set': (body) => (body.at === null ? '额度恢复时替你续跑' : zh`${figures.minute(body.at)} 替你续跑`),
  'resume-cancelled': (body) => resumeCancelled[body.why],
  'recover-waits': (body) => recoverWaits(body),
  'recover-ended': (body) => recoverEnded[body.why],
  'cache-kept': ({ tokens, costUsd, savesUsd, until }) =>
    zh`服务商的缓存（${figures.tokens(tokens)} token）续到 ${figures.minute(until)}，花 ${figures.money(costUsd)}；` +
    zh`未命中会多花 ${figures.money(savesUsd)}`,
  'cache-not-kept': ({ why, status }) =>
    why === 'cold'
      ? '服务商的缓存已失效，不再续'
      : zh`没续上服务商的缓存：服务商${status === 0 ? '没有回答' : zh`回答 ${status}`}`,
  'resume-failed': (body) => zh`额度恢复时没能续跑：${body.message}`,
  revived: (body) =>
    zh`代理自己结束（${body.signal ?? zh`代码 ${body.exitCode ?? '未知'}`}），再启动，已 ${body.times} 次`,
  'revive-refused': (body) => zh`代理结束了，没有再启动：${rests(body.why)}`,
  'servertool-called': (body) => zh`模型调用了 ${body.tool}`,
  'servertool-ran': (body) =>
    zh`${body.tool} 用时 ${figures.took(body.ms)}，${figures.bytes(body.bytes)}${
      body.note ? `：${excerpt(body.note)}` : ''
    }`,
  'servertool-failed': (body) =>
    zh`${body.tool} 运行 ${figures.took(body.ms)}后失败：${unended(excerpt(body.message))}`,
  'servertool-round': (body) => zh`带着 ${listed(body.tools)} 的结果继续回答，第 ${body.round} 轮`,
  'servertool-stripped': (body) =>
    zh`${stripped[body.why]}，去掉了 ${body.calls ?? body.tools.length} 个 ${listed(body.tools)} 调用`,
  'servertool-reacted': (body) => zh`${body.tool}：${excerpt(body.note)}`,
  'alarm-set': (body) =>
    body.taskIds.length === 1
      ? zh`${byWhom(body.by)}设了闹钟：${figures.instant(body.earliest)}`
      : zh`${byWhom(body.by)}设了 ${body.taskIds.length} 个闹钟，最早 ${figures.instant(body.earliest)}`,
  'alarm-changed': (body) => zh`${byWhom(body.by)}改了闹钟：${figures.instant(body.dueAt)} 响`,
  'alarm-cancelled': (body) => zh`${byWhom(body.by)}取消了${alarms(body.taskIds)}`,
  'alarm-rang': (body) =>
    body.taskIds.length === 1
      ? zh`${figures.minute(body.dueAt)} 的闹钟响了`
      : zh`${figures.minute(body.dueAt)} 的 ${body.taskIds.length} 个闹钟响了`,
  'alarm-claimed': (body) => zh`${alarms(body.taskIds)}${alarmRoute[body.route]}送去`,
  'alarm-delivered': (body) => zh`${alarms(body.taskIds)}已${alarmRoute[body.route]}送达`,
  'alarm-released': (body) =>
    zh`没能${alarmRoute[body.route]}送达：${alarmReleased[body.why]}。${alarms(body.taskIds)}继续等着`,
  'alarm-missed': (body) => zh`错过${alarms(body.taskIds)}：${alarmMissed[body.why]}`,
  'alarm-settled': (body) => alarmSettled(body.how, body.taskIds),
  'hold-started': (body) => zh`回答先不结束，等 ${figures.instant(body.dueAt)} 的闹钟`,
  'hold-ended': (body) => zh`等了 ${figures.took(body.ms)}：${holdEnded[body.why]}`,
  'time-sync': (body) => timeSync(body.sync),
  engine: (body) => (body.did === 'started' ? 'Onward 已启动' : 'Onward 已停止'),
  'store-problem': (body) => zh`存不下 ${body.file}：${body.message}`,
  'config-problem': (body) =>
    body.trouble
      ? `配置文件没有采用：${configTrouble(body.trouble).replace(/。$/, '')}`
      : zh`配置文件没有采用：${body.message}。沿用原来的配置`,
  'engine-problem': (body) => body.message,
}

type Say = (body: EventBody, at: number) => string

/** A newer engine may have events that this page does not know: they have their names. */
export const event = ({ body, at }: TimelineEvent): string =>
  (events[body.type] as Say | undefined)?.(body, at) ?? body.type

const resumeCancelled: Readonly<Record<Extract<EventBody, { type: 'resume-cancelled' }>['why'], string>> = {
  user: '你取消了恢复时的续跑',
  'went-on': '恢复时没有续跑：会话自己接着跑了',
  'switched-off': '恢复时没有续跑：你关掉了',
}

function recoverWaits({ targets, trialAt }: Extract<EventBody, { type: 'recover-waits' }>): string {
  if (trialAt !== null) return zh`${figures.minute(trialAt)} 会话自己再试`
  return zh`${targets.join('、')} 恢复后，会话自己接着跑`
}

const recoverEnded: Readonly<Record<RecoverEnd, string>> = {
  'went-on': '失败后没有续跑：会话已经接着跑了',
  'switched-off': '失败后没有续跑：没有设目标，或者关掉了',
  'no-terminal': '失败后没有续跑：终端已关闭',
  'too-often': '失败后没有续跑：次数已到设置的上限',
}

function armed({ text, max, review, by }: Extract<EventBody, { type: 'armed' }>): string {
  const what = zh`“${excerpt(text)}”，${rounds(max)}${review ? '，开启复核' : ''}`
  switch (by) {
    case 'marker':
      return zh`标记设了目标：${what}`
    case 'user':
      return zh`你设了目标：${what}`
    case 're-arm':
      return zh`重新开始：${what}`
  }
}

function queued(from: FollowupSource, round: number | null): string {
  switch (from) {
    case 'stopMessage':
      return round === null ? '下一句已排队' : zh`第 ${round} 轮的下一句已排队`
    case 'clock':
      return '闹钟的话已排队'
    case 'continue_execution':
      return '模型要求继续，下一句已排队'
    case 'revive':
      return '代理再启动，续跑的话已排队'
    case 'recover':
      return '提供方可能已恢复，续跑的话已排队'
    case 'user':
      return '你的话已排队'
    case 'program':
      return '另一个程序的话已排队'
  }
}

const superseded: Readonly<Record<'new-turn' | 're-arm' | 'clear' | 'other-way', string>> = {
  'new-turn': '已放弃：新的回合先到了',
  're-arm': '已放弃：换了新目标',
  clear: '已放弃：目标已清除',
  'other-way': '不再输入：闹钟另行送达',
}

const cancelled: Readonly<Record<'user' | 'clear' | 'pause', string>> = {
  user: '你取消了这句话',
  clear: '已取消：目标已清除',
  pause: '已取消：会话已暂停',
}

/** Onward's own reasons; another is the system's, in its own words. */
const suppressedWhy: Readonly<Partial<Record<string, string>>> = {
  'quiet hours': '免打扰时段',
  'switched off': '这类通知已关闭',
  'the session is on screen': '会话正在屏幕上',
  'a later notice took its place': '之后的通知取代了它',
  'this desktop shows no notifications': '这个桌面不显示通知',
  'the system did not say that it was shown': '系统没有说是否显示了',
}

function notified(what: string, result: 'shown' | 'suppressed' | 'failed', why: string | undefined): string {
  const because = why ? `：${excerpt(suppressedWhy[why] ?? why)}` : ''
  switch (result) {
    case 'shown':
      return zh`已通知：“${what}”`
    case 'suppressed':
      return zh`没有通知“${what}”${because}`
    case 'failed':
      return zh`通知“${what}”失败${because}`
  }
}

const stripped: Readonly<Record<Extract<EventBody, { type: 'servertool-stripped' }>['why'], string>> = {
  depth: '一个回答里的轮数太多',
  time: '这个回答的各轮用时太长',
  'not-a-turn': '这类请求不运行 Onward 的工具',
  calls: '一个回答里的调用太多',
  'not-declared': '模型调用了这个请求里没有的 Onward 工具',
}

/** what was asked about, where that is known */
function about(what: string): string {
  const detail = detailOf(what)
  return detail === null ? '' : zh`，关于“${excerpt(detail, 60)}”`
}

const drove: Readonly<Record<DriveDid, (subject: string) => string>> = {
  stop: (subject) => `你让代理停止它自己设置的${subject}`,
  refused: (subject) => `拒绝了一个回合，它来自你已停止的${subject}`,
  missed: (subject) => `到了时间，代理自己设置的${subject}没有来`,
  rescued: (subject) => `代理自己设置的${subject}没有来，由闹钟代替`,
  let: (subject) => `你让代理自己设置的${subject}继续`,
  bound: (subject) => `你给代理自己设置的${subject}设了上限`,
  unbound: (subject) => `你取消了代理自己设置的${subject}的上限`,
}

const either = (targets: readonly string[]): string => targets.map(targetText).join(' 或 ')

function outageSet({ failed, tell, standIn }: Extract<EventBody, { type: 'outage-set' }>): string {
  const waits = either(failed)
  if (standIn === null) return zh`${waits} 又能回答时通知你`
  return zh`${waits} 又能回答之前，请求都发到 ${targetText(standIn)}${tell ? '，到时通知你' : ''}`
}

function outageOver({ target, failed, standIn }: Extract<EventBody, { type: 'outage-over' }>): string {
  const meanwhile = standIn === null ? '' : zh`，不再用 ${targetText(standIn)} 代替`
  return target === null ? zh`不再等 ${either(failed)}${meanwhile}` : zh`${targetText(target)} 又能回答了${meanwhile}`
}
