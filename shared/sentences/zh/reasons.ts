import type { BackgroundWait } from '../../background.ts'
import type {
  BudgetKind,
  ClearedBy,
  DecisionStep,
  DoneReason,
  FailReason,
  FinishKind,
  HoldReason,
  MarkerHeldWhy,
  PauseReason,
  ReviveRest,
  ScreenUnknown,
  SkipReason,
} from '../../events.ts'
import type { InboxView } from '../../state.ts'
import type { RequestKind } from '../../words.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { choicesInShort } from '../choices.ts'
import { parseNeed, type Need } from '../needs.ts'
import { zh } from './spaced.ts'

const figures = figuresOf('zh-CN')

const restsWords: Readonly<Record<ReviveRest, string>> = {
  quit: '你退出了它',
  told: '终端已关闭，或它被要求结束',
  'ended-well': '它正常结束',
  'no-resume': '不知道这个代理怎样接着会话',
  arguments: '按它的参数，不知道怎样接着',
  'no-conversation': '不知道它在哪个会话里',
  'too-often': '一小时内已再启动三次',
  'not-started': '没能启动',
}
export const rests = (why: ReviveRest): string => restsWords[why]

export function need(what: string): string {
  const asked = parseNeed(what)
  switch (asked.kind) {
    case 'permission':
      return asked.detail ? zh`想运行“${excerpt(asked.detail)}”，等你批准` : '想做一件事，等你批准'
    case 'act':
      return zh`${wants(asked.act, excerpt(asked.detail))}，等你批准`
    case 'question':
      return asked.detail ? zh`在问你：“${excerpt(asked.detail)}”` : '有问题要问你'
    case 'blocker':
      return asked.detail ? zh`卡住了：“${excerpt(asked.detail)}”` : '卡住了，没有你走不下去'
    case 'phrase':
      return /command/i.test(asked.phrase)
        ? '想运行一条命令，等你批准'
        : /edit|write|change/i.test(asked.phrase)
          ? '想改文件，等你批准'
          : '想做一件事，等你批准'
    case 'words':
      return asked.detail ? zh`在问你：“${excerpt(asked.detail)}”` : '在等你答复'
    case 'calls-elsewhere':
      return '在回答，但它的请求没有经过 Onward：检查它的设置，再用 Onward 的命令启动它'
  }
}

function wants(act: Extract<Need, { kind: 'act' }>['act'], what: string): string {
  switch (act) {
    case 'edit':
      return zh`想修改 ${what}`
    case 'write':
      return zh`想写入 ${what}`
    case 'fetch':
      return zh`想读取 ${what}`
    case 'access':
      return zh`想访问 ${what}`
    case 'use':
      return zh`想使用“${what}”`
  }
}

/** follows the question */
export const offered = (labels: readonly string[] = []): string =>
  labels.length === 0 ? '' : `（${choicesInShort(labels).join(' · ')}）`

export function inbox(view: InboxView): string {
  if (view.used) return '文字交给程序自己的收件箱'
  switch (view.why.code) {
    case 'none':
      return '文字用输入的方式：Onward 不知道这个程序有收件箱'
    case 'version':
      return zh`文字用输入的方式：没有验证过这个版本的收件箱（${view.why.version ?? '没有说明版本'}）`
    case 'program-unknown':
      return '文字用输入的方式：Onward 看不到程序是哪一个'
  }
}

export function hold(reason: HoldReason): string {
  switch (reason.code) {
    case 'response-running':
      return '回答还没收完，稍后再续'
    case 'settling':
      return '等屏幕稳定，马上续'
    case 'shell-in-front':
      return zh`前台是 ${reason.program}，不是代理，先不输入`
    case 'foreground-unknown':
      return '不清楚前台是什么程序，先不输入'
    case 'agent-busy':
      return '代理正忙，稍后再续'
    case 'dialog-open':
      return reason.what ? zh`代理开着对话框（${need(reason.what)}），先不输入` : '代理开着对话框，先不输入'
    case 'typing':
      return '你正在输入，先不打断'
    case 'draft':
      return '你有一行还没写完，先不打断'
    case 'enter-ignored':
      return '文字还在输入行里，按回车没有反应'
    case 'not-drawn':
      return '文字已经输入，代理还没显示出来'
    case 'screen-unknown':
      return zh`认不出当前屏幕${seenInstead(reason)}，先不输入`
    case 'screen-unread':
      return '正在读取屏幕，先不输入'
    case 'stopped':
      return '你停下了代理，先不输入'
    case 'copy-mode':
      return 'tmux 窗格在复制模式，先不输入'
    case 'tmux-mode':
      return `tmux 窗格正显示${tmuxMode(reason.mode)}，先不输入`
    case 'other-conversation':
      return reason.unseen ? '屏幕上看不出是不是这个会话，先不输入' : '终端里是另一个会话，先不输入'
    case 'paused':
      return reason.by === 'global' ? '全部自动操作已暂停，先不输入' : '此会话已暂停，先不输入'
    case 'behind':
      return '排在另一句后面'
    case 'near-limit': {
      const until = figures.minuteOfDay(reason.until, reason.at)
      return zh`${reason.provider} 的额度“${reason.window}”已用 ${Math.floor(reason.usedPercent)}%，等到 ${until} 恢复`
    }
    case 'terminal-offline':
      return '暂时连不上终端，先不输入'
    case 'inbox-away':
      return zh`程序自己的收件箱暂时收不了，先等着：${excerpt(reason.why)}`
    case 'store-failed':
      return zh`队列存不下来，先不输入：${excerpt(reason.message)}`
  }
}

function tmuxMode(mode: string): string {
  switch (mode) {
    case 'clock-mode':
      return ' tmux 的时钟'
    case 'tree-mode':
      return ' tmux 的会话列表'
    case 'options-mode':
      return ' tmux 的选项'
    case 'buffer-mode':
      return ' tmux 的粘贴缓冲区列表'
    case 'client-mode':
      return ' tmux 的客户端列表'
    case 'view-mode':
      return ' tmux 命令的输出'
    default:
      return ` tmux 的 ${mode}`
  }
}

function seenInstead({ seen, sign }: ScreenUnknown): string {
  switch (seen) {
    case undefined:
      return ''
    case 'blank':
      return '（一片空白）'
    case 'menu':
      return '（最后几行像菜单）'
    case 'question':
      return '（最后一行像提问）'
    case 'shell-prompt':
      return '（最后一行像 shell 提示符）'
    case 'sign':
      return `（输入行以“${sign ?? '?'}”开头）`
    case 'cursor':
      return '（光标不在输入行）'
    case 'text':
      return '（看不到输入行）'
  }
}

export function holdNext(reason: HoldReason): string {
  switch (reason.code) {
    case 'response-running':
      return '回答收完就输入。'
    case 'settling':
      return '马上就输入。'
    case 'shell-in-front':
      return '代理回到前台才输入，绝不输入到 shell 里。'
    case 'foreground-unknown':
      return '确认前台是代理才会输入。'
    case 'agent-busy':
      return '代理空下来就输入。'
    case 'dialog-open':
      return 'Onward 从不替你回答对话框，你答完再输入。'
    case 'typing':
    case 'draft':
      return '你这行发出或清掉之后再输入。'
    case 'enter-ignored':
      return '可以发出它，或者把它取出。'
    case 'not-drawn':
      return 'Onward 会继续看屏幕，等它出现在输入行里再发出。'
    case 'screen-unknown':
      return '认出代理的空输入行再输入。一直认不出，就反馈这个屏幕。'
    case 'screen-unread':
      return '终端应答后再输入。'
    case 'stopped':
      return '你再给它写一句之后再输入。'
    case 'copy-mode':
      return '退出复制模式再输入。'
    case 'tmux-mode':
      return '按 q 关闭后再输入。'
    case 'other-conversation':
      return reason.unseen ? '屏幕上再出现它最后的话就输入；“现在发送”会输入到这里。' : '回到这个会话再输入。'
    case 'paused':
      return '你继续之后再输入。'
    case 'behind':
      return '等前一句发完再输入。'
    case 'near-limit':
      return '额度恢复后再输入。“现在发送”马上输入；从多少开始等，由 limits.pauseAt 决定。'
    case 'terminal-offline':
      return '终端恢复后再输入。'
    case 'inbox-away':
      return 'Onward 会再试，这期间不会输入。设 "stopMessage.delivery": "inject" 就改为输入。'
    case 'store-failed':
      return '队列能写进磁盘后再输入，现在什么也没输入。'
  }
}

export function skip(reason: SkipReason): string {
  return zh`未触发：${skipCause(reason)}`
}

function skipCause(reason: SkipReason): string {
  switch (reason.code) {
    case 'reentered-followup':
      return '这次请求本身就是续跑'
    case 'not-a-turn':
      return notATurn[reason.kind]
    case 'paused':
      return reason.by === 'global' ? '全部自动操作已暂停' : '此会话已暂停'
    case 'no-scope':
      return '不知道这个会话在哪个终端'
    case 'stage-mode-off':
      return '这个会话关掉了分段'
    case 'nothing-armed':
      return '没有设目标'
    case 'rounds-used':
      return zh`${reason.max} 轮已用 ${reason.used} 轮`
    case 'terminal-gone':
      return gone(reason.why)
    case 'not-a-plain-stop':
      return notAPlainStop[reason.finish]
    case 'client-left':
      return '回答没收完，客户端就断开了'
    case 'budget':
      return zh`预算用完，${budget(reason.budget, reason.limit)}`
    case 'agent-not-finished':
      return notFinished[reason.why]
    case 'entry-pending':
      return '已有一句在路上'
    case 'review-running':
      return '已经在复核'
    case 'other-conversation':
      return '终端里是另一个会话'
    case 'background-work':
      return zh`在等${background(reason)}，最晚到 ${figures.minute(reason.until)}`
    case 'near-limit': {
      const until = figures.minuteOfDay(reason.until, reason.at)
      return zh`${reason.provider} 的额度“${reason.window}”已用 ${Math.floor(reason.usedPercent)}%，等到 ${until} 恢复`
    }
  }
}

/** Work that an agent left running after its turn. */
export function background({ kind, what, more }: BackgroundWait): string {
  const named = what === null ? '' : `“${excerpt(what, 60)}”`
  const first = named === '' ? unnamed[kind] : zh`${of[kind]}${named}`
  return more === 0 ? first : zh`${first}等 ${more + 1} 项`
}
const of = { command: '', monitor: '监视', agent: '子代理', other: '' } as const
const unnamed = { command: '后台命令', monitor: '监视', agent: '子代理', other: '后台任务' } as const

const notATurn: Readonly<Record<RequestKind, string>> = {
  turn: '这不是一个回合',
  subagent: '子代理的回答不算这个会话的回合',
  title: '这是在起标题，不算一个回合',
  compaction: '这是在压缩历史，不算一个回合',
  count: '这是在数 token，不算一个回合',
  probe: '这是探测，不算一个回合',
  aside: '这是旁支请求，不算一个回合',
  warm: '这是在续缓存，不算一个回合',
}

const notAPlainStop: Readonly<Record<FinishKind, string>> = {
  stop: '这次停止不是正常结束',
  'tool-calls': '代理还在调用工具，活没干完',
  length: '回答到了长度上限，被截断',
  'content-filter': '回答被内容过滤截断',
  refusal: '模型拒绝回答',
  'pause-turn': '提供方暂停了这个回合，会自己继续',
  incomplete: '回答不完整',
  error: '请求失败',
  'broken-off': '回答中途断开',
}

const notFinished: Readonly<Record<'own-goal' | 'own-loop' | 'own-schedule', string>> = {
  'own-goal': '代理在跑自己的目标',
  'own-loop': '代理在跑自己的循环',
  'own-schedule': '代理在按自己的日程跑',
}

/** `why` is the engine's own phrase; the common ones get plain words. */
function gone(why: string): string {
  if (/pane/i.test(why)) return 'tmux 窗格已关闭'
  if (/never|refus/i.test(why)) return '这个终端不能再输入'
  return /^(|gone|exit(ed)?|closed|ended)$/i.test(why.trim()) ? '终端已关闭' : zh`终端已关闭（${excerpt(why)}）`
}

export function fail(reason: FailReason): string {
  switch (reason.code) {
    case 'terminal-gone':
      return zh`没能输入：${gone(reason.why)}`
    case 'agent-gone':
      return '没能输入：代理已退出'
    case 'not-submitted':
      return '没能发出：每次输入后文字都从输入行消失'
    case 'not-received':
      return '没有送达：一分钟内没有请求带上这句话'
    case 'other-conversation':
      return '发到了同一终端的另一个会话里'
    case 'dialog-took-text':
      return '没能发出：输入时弹出了对话框'
    case 'typing-failed':
      return zh`没能输入：${excerpt(reason.message)}`
    case 'unknown-after-crash':
      return '不确定：输入时 Onward 重启过，不会再输入一遍'
    case 'store-failed':
      return zh`没能输入：队列存不下来，${excerpt(reason.message)}`
    case 'terminal-refused':
      return zh`没能输入：终端拒绝，${excerpt(reason.message)}`
  }
}

export const thenGoesOn = (at: number | undefined): string =>
  at === undefined ? '' : zh`；你不另说的话，${figures.minute(at)} 自行继续`

export function pause(reason: PauseReason): string {
  switch (reason.code) {
    case 'by-user':
      return '你暂停了'
    case 'not-received':
      return '上一句没有回执，先停下来问你'
    case 'not-submitted':
      return '文字每次都从输入行消失，先停下来问你'
    case 'budget':
      return (
        (reason.budget === 'no-progress'
          ? zh`连续 ${reason.limit} 轮没有进展，先停下来问你`
          : zh`用满 ${budget(reason.budget, reason.limit)}，先停下来问你`) + thenGoesOn(reason.goesOnAt)
      )
    case 'needs-user':
      return zh`先停下来问你：${excerpt(reason.text)}`
    case 'checks-unapproved':
      return zh`想运行检查 ${listed(reason.names)}：目标看来达成了`
    case 'review-failed':
      return zh`先停下来问你：复核连续 ${reason.times} 次失败，${excerpt(reason.why)}`
  }
}

export function budget(kind: BudgetKind, limit: number): string {
  switch (kind) {
    case 'rounds':
      return zh`${limit} 轮`
    case 'time':
      return zh`${limit} 小时`
    case 'no-progress':
      return zh`连续 ${limit} 轮没有进展`
    case 'tokens':
      return `${figures.tokens(limit)} token`
    case 'cost':
      return figures.money(limit)
  }
}

export function done(reason: DoneReason): string {
  switch (reason.code) {
    case 'rounds-used':
      return zh`${reason.max} 轮全部用完`
    case 'goal-reached':
      return goalReached(reason)
    case 'no-open-work':
      return '完成：beads 里没有未完的事'
  }
}

function goalReached({ checks, evidence }: Extract<DoneReason, { code: 'goal-reached' }>): string {
  if (checks === undefined) return '目标达成'
  if (checks > 0) return zh`目标达成，${checks} 项检查全部通过`
  return zh`目标达成，未经检查${evidence ? `：${excerpt(evidence)}` : ''}`
}

/** Why a marker was cut out and not followed. */
const markerHeldWords: Readonly<Record<MarkerHeldWhy, string>> = {
  'in-paste': '粘贴内容里的标记没有执行',
  'in-middle': '多行消息中间的标记没有执行',
  quoted: '引用或注释里的标记没有执行',
  'new-file': '文件里的目标等你看过再执行',
  program: '另一个程序请求这样做，等你决定',
  unproven: '无法确认这个标记是你输入的，所以没有执行',
}
export const markerHeld = (why: MarkerHeldWhy): string => markerHeldWords[why]

const clearedWords: Readonly<Record<ClearedBy, string>> = {
  marker: '标记清除了目标',
  user: '你清除了目标',
  'rounds-used': '轮数用完，目标已清除',
  failure: '下一句送不到，目标已清除',
  'terminal-gone': '终端已关闭，目标已清除',
  orphaned: '10 分钟内没人回到这个终端，目标已清除',
  'goal-reached': '目标达成，已清除',
}
export const cleared = (by: ClearedBy): string => clearedWords[by]

/** `detail` is the engine's own fact: a terminal, a count, a program. */
export function step({ check, ok, detail }: DecisionStep): string {
  const more = detail ? `：${excerpt(detail, 80)}` : ''
  switch (check) {
    case 'not-reentered':
      return ok ? '不是续跑本身' : '这次请求本身就是续跑'
    case 'is-turn':
      return ok ? '是一个回合，不是压缩' : zh`不是一个回合${more}`
    case 'not-paused':
      return ok ? '自动操作没有暂停' : zh`自动操作已暂停${more}`
    case 'has-scope':
      return ok ? zh`找到终端${more}` : '不知道在哪个终端'
    case 'stage-mode':
      return ok ? '分段允许' : '分段已关闭'
    case 'armed':
      return ok ? zh`已设目标${more}` : '没有设目标'
    case 'rounds-free':
      return ok ? zh`还有空余的轮数${more}` : zh`轮数用完${more}`
    case 'terminal-alive':
      return ok ? zh`终端还在${more}` : zh`终端已关闭${more}`
    case 'plain-stop':
      return ok ? '正常结束，没有未完的工具调用' : zh`不是正常结束${more}`
    case 'client-stayed':
      return ok ? '客户端收完了回答' : '客户端提前断开'
    case 'budget-free':
      return ok ? zh`预算没到${more}` : zh`预算用完${more}`
    case 'agent-finished':
      return ok ? '代理自己干完了' : zh`代理还没干完${more}`
    case 'current-conversation':
      return ok ? '终端里就是这个会话' : '终端里是另一个会话'
    case 'no-entry-pending':
      return ok ? '没有别的话在路上' : zh`已有一句在路上${more}`
    case 'below-limit':
      return ok ? '额度还够' : zh`额度快用完了，客户端在这次请求里等不了${more}`
    case 'background-over':
      return ok ? '后台没有要等的' : zh`在等后台任务${more}`
  }
}

/** Names of checks as a sentence has them. */
export const listed = (names: readonly string[]): string =>
  names.length < 4 ? names.join('、') : zh`${names.slice(0, 3).join('、')}等 ${names.length} 项`
