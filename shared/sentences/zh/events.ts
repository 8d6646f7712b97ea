import { configTrouble } from './config.ts'
import type { AlarmBy, AlarmRoute, ClockSync, MissedWhy } from '../../alarms/alarms.ts'
import type { AlarmReleased, EventBody, FollowupSource, RecoverEnd, HoldEnded, TimelineEvent } from '../../events.ts'
import { withoutTried } from '../../setup/tried.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { detailOf } from '../needs.ts'
import { noticeClass } from './notices.ts'
import { callFailure } from './call-failure.ts'
import { outageOver, outageSet } from './outage.ts'
import { outside } from './outside.ts'
import { cleared, done, fail, hold, markerHeld, need, pause, rests, skip } from './reasons.ts'
import { checkRan, reviewed } from './review.ts'
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

function alarmRoute(route: AlarmRoute): string {
  switch (route) {
    case 'terminal':
      return '输入终端'
    case 'request':
      return '随会话的请求'
    case 'hold':
      return '在没结束的回答里'
  }
}

function alarmReleased(why: AlarmReleased): string {
  switch (why) {
    case 'upstream-failed':
      return '提供方没有回答'
    case 'client-left':
      return '客户端断开了'
    case 'taken-back':
      return '被收回了'
    case 'not-typed':
      return '没能输入'
  }
}

function alarmMissed(why: MissedWhy): string {
  switch (why) {
    case 'expired':
      return '没能及时送到'
    case 'failed':
      return '终端没有收下'
    case 'unknown':
      return 'Onward 中途退出，不知道送到没有'
  }
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

function holdEnded(why: HoldEnded): string {
  switch (why) {
    case 'due':
      return '闹钟到点了'
    case 'client-left':
      return '客户端断开了'
    case 'gone':
      return '闹钟被取消、改期，或已另行送达'
    case 'paused':
      return '自动操作已暂停'
    case 'failed':
      return '闹钟没能取出'
  }
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

export function event({ body, at }: TimelineEvent): string {
  switch (body.type) {
    case 'turn-started':
      return zh`${turn(null, body.kind)}开始${body.retry ? '，重试上一次' : ''}`
    case 'turn-ended':
      if (body.clientLeft) return zh`${turn(body.turn, body.kind)}：回答没收完，客户端就断开了`
      return zh`${turn(body.turn, body.kind)}${ended(body.finish)}${
        body.error ? `：${failedTurn(body.error.message, body.tried ?? [])}` : ''
      }`
    case 'marker-applied':
      return zh`读到标记“${excerpt(body.marker, 60)}”：${body.effect}`
    case 'marker-refused':
      return zh`标记“${excerpt(body.marker, 60)}”无效：${body.message}`
    case 'marker-held':
      return zh`${markerHeld(body.why)}：“${excerpt(body.marker, 60)}”`
    case 'marker-forgotten':
      return zh`你忽略了标记“${excerpt(body.marker, 60)}”`
    case 'armed':
      return armed(body)
    case 'goal-left':
      return zh`在这里接着跑吗？目标“${excerpt(body.text)}”是在之前的对话里设的`
    case 'goal-carried-on':
      return zh`你让目标“${excerpt(body.text)}”在这里接着跑：已用 ${body.used} 轮，${rounds(body.max)}`
    case 'stop-message-edited':
      return zh`你改了目标“${excerpt(body.text)}”，${rounds(body.max)}${body.review ? '，开启复核' : ''}`
    case 'review-started':
      return zh`开始复核第 ${body.round} 轮`
    case 'review-done':
      return zh`复核：${reviewed(body.review)}`
    case 'check-ran':
      return checkRan(body.run)
    case 'check-approved':
      return zh`你允许了检查 ${body.name}：${body.argv.join(' ')}`
    case 'check-forgotten':
      return zh`检查 ${body.name} 不能再运行`
    case 'matched':
      return body.max === null
        ? zh`已触发：代理停下，第 ${body.used + 1} 轮`
        : zh`已触发：代理停下，${body.max} 轮中的第 ${body.used + 1} 轮可用`
    case 'skipped':
      return skip(body.reason)
    case 'queued':
      return queued(body.source, body.round)
    case 'mentions-escaped':
      return '这段话出自模型：其中的 @文件、$技能 加了反斜杠，代理不会因此打开任何内容'
    case 'edited':
      return '你改了下一句'
    case 'held':
      return hold(body.reason)
    case 'typed':
      return '下一句已输入终端'
    case 'submitted':
      return body.extraEnter ? '补按一次 Enter 后发出' : '已发出'
    case 'confirmed':
      if (body.withWords) return '已连同你写的话一起发出'
      return body.late
        ? zh`迟到的回执，${figures.took(body.afterMs)}后送达`
        : zh`已送达，${figures.took(body.afterMs)}后收到回执`
    case 'failed':
      return fail(body.reason)
    case 'unknown':
      return fail({ code: 'unknown-after-crash' })
    case 'text-removed':
      return body.by === 'onward' ? '已从输入行取出' : '按回车前已从输入行消失，不算发出'
    case 'superseded':
      return superseded(body.by)
    case 'cancelled':
      return cancelled(body.by)
    case 'expired':
      return '已过期：闹钟太旧，不再输入'
    case 'used':
      return body.max === null ? zh`已用 ${body.used} 轮` : zh`${body.max} 轮已用 ${body.used} 轮`
    case 'paused':
      return body.what === 'all' && body.reason.code === 'by-user' ? '你暂停了全部自动操作' : pause(body.reason)
    case 'resumed':
      if (body.unanswered) return '没有人回答，轮数由你给定，已自行继续'
      return body.what === 'all' ? '全部自动操作已继续' : '已继续'
    case 'done':
      return done(body.reason)
    case 'stop-message-failed':
      return zh`已停止。${fail(body.reason)}`
    case 'cleared':
      return cleared(body.by)
    case 'rebound':
      return zh`从 ${body.from} 移到 ${body.to}，目标和队列一起带走`
    case 'terminal-opened':
      return zh`终端 ${body.terminalId} 已打开，运行 ${body.client}`
    case 'terminal-closed':
      return zh`终端 ${body.terminalId} 已关闭${body.exitCode === null ? '' : zh`，退出码 ${body.exitCode}`}${
        body.why ? `：${excerpt(body.why)}` : ''
      }`
    case 'needs-you':
      return need(body.what)
    case 'stalled':
      return zh`${figures.minute(body.since)} 起没有动静，可能有工具卡住了`
    case 'over':
      return overs[body.what]
    case 'dialog-answered':
      return zh`你${body.key === null ? '选了' : zh`按了 ${body.key}`}“${excerpt(body.choice, 60)}”${about(body.what)}。${
        body.closedMs === null ? '对话框还开着' : zh`对话框过了 ${figures.took(body.closedMs)} 关闭`
      }`
    case 'notified':
      return body.to === undefined
        ? notified(noticeClass(body.class), body.result, body.why)
        : zh`通知“${noticeClass(body.class)}”${outside.went(body.to, body.result, body.why)}`
    case 'provider-resting':
      return zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`}：${rest(body.rest, at)}`
    case 'provider-back':
      return zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`} 恢复了`
    case 'outage-set':
      return outageSet(body)
    case 'outage-over':
      return outageOver(body)
    case 'limit-reached':
      return zh`${body.provider} 的额度用完${
        body.lifts === null ? '，没说何时恢复' : zh`，${figures.minute(body.lifts)} 恢复`
      }${body.resumeAt === null ? '' : '，到时替你续跑'}`
    case 'resume-set':
      return body.at === null ? '额度恢复时替你续跑' : zh`${figures.minute(body.at)} 替你续跑`
    case 'resume-cancelled':
      return resumeCancelled(body.why)
    case 'recover-waits':
      return recoverWaits(body)
    case 'recover-ended':
      return recoverEnded(body.why)
    case 'resume-failed':
      return zh`额度恢复时没能续跑：${body.message}`
    case 'revived':
      return zh`代理自己结束（${body.signal ?? zh`代码 ${body.exitCode ?? '未知'}`}），再启动，已 ${body.times} 次`
    case 'revive-refused':
      return zh`代理结束了，没有再启动：${rests(body.why)}`
    case 'servertool-called':
      return zh`模型调用了 ${body.tool}`
    case 'servertool-ran':
      return zh`${body.tool} 用时 ${figures.took(body.ms)}，${figures.bytes(body.bytes)}${
        body.note ? `：${excerpt(body.note)}` : ''
      }`
    case 'servertool-failed':
      return zh`${body.tool} 运行 ${figures.took(body.ms)}后失败：${unended(excerpt(body.message))}`
    case 'servertool-round':
      return zh`带着 ${listed(body.tools)} 的结果继续回答，第 ${body.round} 轮`
    case 'servertool-stripped':
      return zh`${stripped(body.why)}，去掉了 ${body.calls ?? body.tools.length} 个 ${listed(body.tools)} 调用`
    case 'servertool-reacted':
      return zh`${body.tool}：${excerpt(body.note)}`
    case 'alarm-set':
      return body.taskIds.length === 1
        ? zh`${byWhom(body.by)}设了闹钟：${figures.instant(body.earliest)}`
        : zh`${byWhom(body.by)}设了 ${body.taskIds.length} 个闹钟，最早 ${figures.instant(body.earliest)}`
    case 'alarm-changed':
      return zh`${byWhom(body.by)}改了闹钟：${figures.instant(body.dueAt)} 响`
    case 'alarm-cancelled':
      return zh`${byWhom(body.by)}取消了${alarms(body.taskIds)}`
    case 'alarm-rang':
      return body.taskIds.length === 1
        ? zh`${figures.minute(body.dueAt)} 的闹钟响了`
        : zh`${figures.minute(body.dueAt)} 的 ${body.taskIds.length} 个闹钟响了`
    case 'alarm-claimed':
      return zh`${alarms(body.taskIds)}${alarmRoute(body.route)}送去`
    case 'alarm-delivered':
      return zh`${alarms(body.taskIds)}已${alarmRoute(body.route)}送达`
    case 'alarm-released':
      return zh`没能${alarmRoute(body.route)}送达：${alarmReleased(body.why)}。${alarms(body.taskIds)}继续等着`
    case 'alarm-missed':
      return zh`错过${alarms(body.taskIds)}：${alarmMissed(body.why)}`
    case 'alarm-settled':
      return alarmSettled(body.how, body.taskIds)
    case 'hold-started':
      return zh`回答先不结束，等 ${figures.instant(body.dueAt)} 的闹钟`
    case 'hold-ended':
      return zh`等了 ${figures.took(body.ms)}：${holdEnded(body.why)}`
    case 'time-sync':
      return timeSync(body.sync)
    case 'engine':
      return body.did === 'started' ? 'Onward 已启动' : 'Onward 已停止'
    case 'store-problem':
      return zh`存不下 ${body.file}：${body.message}`
    case 'config-problem':
      return body.trouble
        ? `配置文件没有采用：${configTrouble(body.trouble).replace(/。$/, '')}`
        : zh`配置文件没有采用：${body.message}。沿用原来的配置`
    case 'engine-problem':
      return body.message
  }
}

function resumeCancelled(why: Extract<EventBody, { type: 'resume-cancelled' }>['why']): string {
  switch (why) {
    case 'user':
      return '你取消了恢复时的续跑'
    case 'went-on':
      return '恢复时没有续跑：会话自己接着跑了'
    case 'switched-off':
      return '恢复时没有续跑：你关掉了'
  }
}

function recoverWaits({ targets, trialAt }: Extract<EventBody, { type: 'recover-waits' }>): string {
  if (trialAt !== null) return zh`${figures.minute(trialAt)} 会话自己再试`
  return zh`${targets.join('、')} 恢复后，会话自己接着跑`
}

function recoverEnded(why: RecoverEnd): string {
  switch (why) {
    case 'went-on':
      return '失败后没有续跑：会话已经接着跑了'
    case 'switched-off':
      return '失败后没有续跑：没有设目标，或者关掉了'
    case 'no-terminal':
      return '失败后没有续跑：终端已关闭'
    case 'too-often':
      return '失败后没有续跑：次数已到设置的上限'
  }
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
  }
}

function superseded(by: 'new-turn' | 're-arm' | 'clear' | 'other-way'): string {
  switch (by) {
    case 'new-turn':
      return '已放弃：新的回合先到了'
    case 're-arm':
      return '已放弃：换了新目标'
    case 'clear':
      return '已放弃：目标已清除'
    case 'other-way':
      return '不再输入：闹钟另行送达'
  }
}

function cancelled(by: 'user' | 'clear' | 'pause'): string {
  switch (by) {
    case 'user':
      return '你取消了这句话'
    case 'clear':
      return '已取消：目标已清除'
    case 'pause':
      return '已取消：会话已暂停'
  }
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

function stripped(why: Extract<EventBody, { type: 'servertool-stripped' }>['why']): string {
  switch (why) {
    case 'depth':
      return '一个回答里的轮数太多'
    case 'time':
      return '这个回答的各轮用时太长'
    case 'not-a-turn':
      return '这类请求不运行 Onward 的工具'
    case 'calls':
      return '一个回答里的调用太多'
    case 'not-declared':
      return '模型调用了这个请求里没有的 Onward 工具'
  }
}

/** what was asked about, where that is known */
function about(what: string): string {
  const detail = detailOf(what)
  return detail === null ? '' : zh`，关于“${excerpt(detail, 60)}”`
}
