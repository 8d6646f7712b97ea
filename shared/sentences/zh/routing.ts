import type { RouteCategory } from '../../config/schema.ts'
import type { CategoryReason, PassedOver, ProviderHealth, Rest, RouteReason } from '../../routing.ts'
import { targetText } from '../../target-text.ts'
import { figuresOf } from '../figures.ts'
import { callFailure } from './call-failure.ts'
import { zh } from './spaced.ts'
import { turn } from './states.ts'

const figures = figuresOf('zh-CN')
const count = (n: number): string => n.toLocaleString('en').replaceAll(',', ' ')

export function routeReason(reason: RouteReason): string {
  switch (reason.code) {
    case 'forced':
      return zh`标记指定这一回合用 ${targetText(reason.target)}`
    case 'preferred':
      return zh`标记要求优先用 ${targetText(reason.target)}`
    case 'addressed':
      return zh`客户端直接点名 ${reason.target}`
    case 'allowed':
      return zh`标记只允许 ${reason.providers.join('、')}`
    case 'stand-in':
      return zh`你选了 ${targetText(reason.target)} 代替 ${reason.failed.map(targetText).join('、')}，直到它又能回答`
    case 'alias':
      return zh`${reason.name} 是 ${reason.target} 的别名`
    case 'category':
      return zh`路由 ${reason.category}：${because(reason.because)}`
    case 'listed':
      return zh`没有配置路由，这家列有 ${reason.model}`
    case 'no-routes':
      return '没有配置路由：先用同协议的提供方和客户端要的模型，再用其他家自己的模型'
    case 'sticky':
      return zh`${targetText(reason.target)} 从 ${figures.minute(reason.since)} 起一直服务这个会话，提示缓存还热着`
    case 'shared':
      return zh`它分担 ${Math.round(reason.percent)}% 的会话，这个会话在其中`
    case 'trial':
      return '冷却结束，用这一回合试试它恢复没有'
    case 'all-rest':
      return '都在休息，这一个最先恢复'
    case 'said':
      return reason.text
  }
}

function because(reason: CategoryReason): string {
  switch (reason.code) {
    case 'named':
      return '客户端点名要这条路由'
    case 'auxiliary':
      return zh`${turn(null, reason.kind)}是辅助请求`
    case 'small-model':
      return zh`${reason.model} 是轻量模型`
    case 'image':
      return '最后一条消息里有图片'
    case 'long':
      return zh`约 ${count(reason.tokens)} token，超过 ${count(reason.threshold)}`
    case 'web-search':
      return '客户端带了厂商自己的网页搜索'
    case 'thinking':
      return '要求思考'
    case 'otherwise':
      return '不属于其他路由'
  }
}

export function passedOver(why: PassedOver, now: number): string {
  switch (why.code) {
    case 'unknown-provider':
      return '没有这个提供方'
    case 'disabled':
      return '这个会话里停用了'
    case 'not-allowed':
      return '不在这个会话的允许名单里'
    case 'policy':
      return why.by === '' ? '你的组织不允许' : zh`你的组织（${why.by}）不允许`
    case 'protocol':
      return zh`它用 ${why.type}，这个 ${why.entry} 请求转换不了`
    case 'no-credential':
      return '它要客户端自己的登录，这个客户端没有给'
    case 'key-disabled':
      return zh`密钥 ${why.key} 在这个会话里停用了`
    case 'key-missing':
      return zh`密钥 ${why.key} 没有值：${why.why}`
    case 'failed-now':
      return why.key === null
        ? zh`这一回合里失败过（${callFailure(why.failure)}）`
        : zh`这一回合里用密钥 ${why.key} 失败过（${callFailure(why.failure)}）`
    case 'resting':
      return why.key === null ? rest(why.rest, now) : zh`密钥 ${why.key}：${rest(why.rest, now)}`
    case 'on-trial':
      return '另一个请求正在试它恢复没有'
    case 'limit-waits':
      return why.key === null
        ? '前面的额度用完了，按 limits.order 等它恢复'
        : zh`密钥 ${why.key}：前面的额度用完了，按 limits.order 等它恢复`
    case 'too-small':
      return zh`只能接 ${count(why.contextWindow)} token，这次约 ${count(why.tokens)}`
    case 'no-vision':
      return '它看不了图片'
    case 'said':
      return why.text
  }
}

export function rest(why: Rest, now: number): string {
  return zh`${about(why)}${restAlone(why, now)}`
}

function about(why: Rest): string {
  const subject = 'subject' in why ? why.subject : undefined
  if (subject === undefined) return ''
  return subject.kind === 'model' ? zh`模型 ${subject.name}：` : zh`${subject.name} 系列：`
}

function restAlone(why: Rest, now: number): string {
  const left = figures.left(why.until, now)
  switch (why.why) {
    case 'failures':
      return zh`失败 ${why.count} 次，冷却 ${left}`
    case 'refused':
      return zh`被拒绝（${why.status}），${left}后再试`
    case 'rate':
      return zh`请求太快，休息 ${left}`
    case 'limit':
      return why.lifts === null
        ? '额度用完，没说何时恢复'
        : zh`额度用完，${figures.minute(why.lifts)} 恢复，还有 ${figures.left(why.lifts, now)}`
  }
}

export function health(state: ProviderHealth, now: number): string {
  switch (state.kind) {
    case 'unused':
      return '还没调用过'
    case 'healthy':
      return '正常'
    case 'failing':
      return state.count === 1
        ? zh`${figures.minute(state.since)} 的上一次调用失败：${callFailure(state.failure)}`
        : zh`从 ${figures.minute(state.since)} 起连续 ${state.count} 次调用失败：${callFailure(state.failure)}`
    case 'answers-again':
      return zh`又能回答了，最近 ${state.calls} 次里有 ${state.failed} 次失败`
    case 'resting':
      return (
        (state.models.length === 0 ? about(state.rest) : zh`${state.models.join('、')}：`) +
        restSentence(state.rest, now)
      )
    case 'on-trial':
      return '冷却结束，下一次调用会试它恢复没有'
    case 'some-keys':
      return zh`密钥${state.keys.map((key) => `“${key}”`).join('、')}在休息，先用其余的`
    case 'no-key':
      return '没有可用的密钥'
    case 'forbidden':
      return state.by === '' ? '你的组织不允许' : zh`你的组织（${state.by}）不允许`
  }
}

function restSentence(why: Rest, now: number): string {
  const left = figures.left(why.until, now)
  switch (why.why) {
    case 'failures':
      return zh`失败 ${why.count} 次，冷却 ${left}，然后试一次`
    case 'refused':
      return zh`密钥被拒绝（${why.status}），${left}后再试`
    case 'rate':
      return zh`请求太快，休息 ${left}`
    case 'limit':
      return why.lifts === null
        ? zh`额度 ${figures.minute(why.since)} 用完，提供方没说何时恢复`
        : zh`额度 ${figures.minute(why.since)} 用完，${figures.minute(why.lifts)} 恢复，还有 ${figures.left(why.lifts, now)}`
  }
}

const categoryWords: Readonly<Record<RouteCategory, string>> = {
  default: '其他所有请求',
  background: '轻量和辅助请求',
  thinking: '要求思考',
  longContext: 'token 很多',
  vision: '消息里有图片',
  webSearch: '厂商的网页搜索',
  coding: '按名字',
  tools: '按名字',
  review: '复核',
}
export const category = (name: RouteCategory): string => categoryWords[name]
