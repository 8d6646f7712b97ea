import type { EventBody, FollowupSource, TimelineEvent } from '../../events.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { noticeClass } from './notices.ts'
import { cleared, done, fail, hold, need, pause, skip } from './reasons.ts'
import { rest } from './routing.ts'
import { zh } from './spaced.ts'
import { ended, turn } from './states.ts'

const figures = figuresOf('zh-CN')
const listed = (tools: readonly string[]): string => [...new Set(tools)].join('、')
/** 时间线的一行末尾没有句号，后面可能跟“为什么”。 */
const unended = (text: string): string => text.replace(/[.。]$/, '')
const rounds = (max: number | null): string => (max === null ? '不限轮数' : zh`${max} 轮`)

export function event({ body, at }: TimelineEvent): string {
  switch (body.type) {
    case 'turn-started': return zh`${turn(null, body.kind)}开始${body.retry ? '，重试上一次' : ''}`
    case 'turn-ended':
      if (body.clientLeft) return zh`${turn(body.turn, body.kind)}：回答没收完，客户端就断开了`
      return zh`${turn(body.turn, body.kind)}${ended(body.finish)}${body.error ? `：${excerpt(body.error.message)}` : ''}`
    case 'marker-applied': return zh`读到标记“${excerpt(body.marker, 60)}”：${body.effect}${body.pendingReview ? '。复核还没做好，先直接发送目标' : ''}`
    case 'marker-refused': return zh`标记“${excerpt(body.marker, 60)}”无效：${body.message}`
    case 'armed': return armed(body)
    case 'matched': return body.max === null ? zh`已触发：代理停下，第 ${body.used + 1} 轮` : zh`已触发：代理停下，${body.max} 轮中的第 ${body.used + 1} 轮可用`
    case 'skipped': return skip(body.reason)
    case 'queued': return queued(body.source, body.round)
    case 'edited': return '你改了下一句'
    case 'held': return hold(body.reason)
    case 'typed': return '下一句已输入终端'
    case 'submitted': return body.extraEnter ? '补按一次 Enter 后发出' : '已发出'
    case 'confirmed': return body.late ? zh`迟到的回执，${figures.took(body.afterMs)}后送达` : zh`已送达，${figures.took(body.afterMs)}后收到回执`
    case 'failed': return fail(body.reason)
    case 'unknown': return fail({ code: 'unknown-after-crash' })
    case 'superseded': return superseded(body.by)
    case 'cancelled': return cancelled(body.by)
    case 'expired': return '已过期：闹钟太旧，不再输入'
    case 'used': return body.max === null ? zh`已用 ${body.used} 轮` : zh`${body.max} 轮已用 ${body.used} 轮`
    case 'paused': return body.what === 'all' && body.reason.code === 'by-user' ? '你暂停了全部自动操作' : pause(body.reason)
    case 'resumed': return body.what === 'all' ? '全部自动操作已继续' : '已继续'
    case 'done': return done(body.reason)
    case 'stop-message-failed': return zh`已停止。${fail(body.reason)}`
    case 'cleared': return cleared(body.by)
    case 'rebound': return zh`从 ${body.from} 移到 ${body.to}，目标和队列一起带走`
    case 'terminal-opened': return zh`终端 ${body.terminalId} 已打开，运行 ${body.client}`
    case 'terminal-closed': return zh`终端 ${body.terminalId} 已关闭${body.exitCode === null ? '' : zh`，退出码 ${body.exitCode}`}${body.why ? `：${excerpt(body.why)}` : ''}`
    case 'needs-you': return need(body.what)
    case 'notified': return notified(noticeClass(body.class), body.result, body.why)
    case 'provider-resting': return zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`}：${rest(body.rest, at)}`
    case 'provider-back': return zh`${body.provider}${body.key === null ? '' : zh` 的密钥 ${body.key}`} 恢复了`
    case 'limit-reached': return zh`${body.provider} 的额度用完${body.lifts === null ? '，没说何时恢复' : zh`，${figures.minute(body.lifts)} 恢复`}${body.resumeAt === null ? '' : '，到时替你续跑'}`
    case 'resume-set': return body.at === null ? '额度恢复时替你续跑' : zh`${figures.minute(body.at)} 替你续跑`
    case 'resume-cancelled': return resumeCancelled(body.why)
    case 'resume-failed': return zh`额度恢复时没能续跑：${body.message}`
    case 'servertool-called': return zh`模型调用了 ${body.tool}`
    case 'servertool-ran': return zh`${body.tool} 用时 ${figures.took(body.ms)}，${figures.bytes(body.bytes)}${body.note ? `：${excerpt(body.note)}` : ''}`
    case 'servertool-failed': return zh`${body.tool} 运行 ${figures.took(body.ms)}后失败：${unended(excerpt(body.message))}`
    case 'servertool-round': return zh`带着 ${listed(body.tools)} 的结果继续回答，第 ${body.round} 轮`
    case 'servertool-stripped': return zh`${stripped(body.why)}，去掉了 ${body.tools.length} 个 ${listed(body.tools)} 调用`
    case 'servertool-reacted': return zh`${body.tool}：${excerpt(body.note)}`
    case 'store-problem': return zh`存不下 ${body.file}：${body.message}`
    case 'config-problem': return zh`配置文件没有采用：${body.message}。沿用原来的配置`
    case 'engine-problem': return body.message
  }
}

function resumeCancelled(why: Extract<EventBody, { type: 'resume-cancelled' }>['why']): string {
  switch (why) {
    case 'user': return '你取消了恢复时的续跑'
    case 'went-on': return '恢复时没有续跑：会话自己接着跑了'
    case 'switched-off': return '恢复时没有续跑：你关掉了'
  }
}

function armed({ text, max, review, by }: Extract<EventBody, { type: 'armed' }>): string {
  const what = zh`“${excerpt(text)}”，${rounds(max)}${review ? '，开启复核' : ''}`
  switch (by) {
    case 'marker': return zh`标记设了目标：${what}`
    case 'user': return zh`你设了目标：${what}`
    case 're-arm': return zh`重新开始：${what}`
  }
}

function queued(from: FollowupSource, round: number | null): string {
  switch (from) {
    case 'stopMessage': return round === null ? '下一句已排队' : zh`第 ${round} 轮的下一句已排队`
    case 'clock': return '闹钟的话已排队'
    case 'continue_execution': return '模型要求继续，下一句已排队'
    case 'user': return '你的话已排队'
  }
}

function superseded(by: 'new-turn' | 're-arm' | 'clear'): string {
  switch (by) {
    case 'new-turn': return '已放弃：新的回合先到了'
    case 're-arm': return '已放弃：换了新目标'
    case 'clear': return '已放弃：目标已清除'
  }
}

function cancelled(by: 'user' | 'clear' | 'pause'): string {
  switch (by) {
    case 'user': return '你取消了这句话'
    case 'clear': return '已取消：目标已清除'
    case 'pause': return '已取消：会话已暂停'
  }
}

function notified(what: string, result: 'shown' | 'suppressed' | 'failed', why: string | undefined): string {
  const because = why ? `：${excerpt(why)}` : ''
  switch (result) {
    case 'shown': return zh`已通知：“${what}”`
    case 'suppressed': return zh`没有通知“${what}”${because}`
    case 'failed': return zh`通知“${what}”失败${because}`
  }
}

function stripped(why: Extract<EventBody, { type: 'servertool-stripped' }>['why']): string {
  switch (why) {
    case 'depth': return '一个回答里的轮数太多'
    case 'time': return '这个回答的各轮用时太长'
    case 'not-a-turn': return '这类请求不运行 Onward 的工具'
  }
}
