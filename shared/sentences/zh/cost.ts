import type { ColdCache, ColdReason, ColdSums, Costing, Spend, Spent, WarmSums } from '../../cost/cost.ts'
import type { KeepWarm, NotWarm } from '../../cost/keep-warm.ts'
import { figuresOf } from '../figures.ts'
import { zh } from './spaced.ts'

const figures = figuresOf('zh-CN')

export function paid({ kind, costUsd, price, usage }: Costing): string | null {
  if (costUsd !== null) {
    const money = figures.money(costUsd)
    if (price?.from === 'list') return zh`${money}，${price.taken} 的标价`
    return price?.from === 'config' ? zh`${money}，你定的价格` : money
  }
  switch (price?.from) {
    case 'plan':
      return price.worth === null
        ? '由订阅支付'
        : zh`由订阅支付，按 ${price.worth.taken} 的标价值 ${figures.money(price.worth.usd)}`
    case 'local':
      return '在本机运行，免费'
    default:
      return usage === null || kind === 'count' ? null : '价格未知'
  }
}

export function spent(spend: Spend): string | null {
  const { unpricedTokens = 0, worthUsd = 0 } = spend
  const parts = [
    spend.costUsd === null ? '' : (figures.cost(spend) ?? ''),
    unpricedTokens > 0 ? zh`${figures.tokens(unpricedTokens)} token 价格未知` : '',
    worthUsd > 0 ? zh`订阅支付的部分按标价值 ${figures.money(worthUsd)}` : '',
  ].filter(Boolean)
  return parts.length === 0 ? null : figures.list(parts)
}

export const used = (spend: Spent): string =>
  figures.list([zh`${figures.tokens(spend.tokens)} token`, figures.cost(spend)].filter((part) => part !== null))

const coldReason: Record<ColdReason, string> = {
  'model-switched': '换了模型',
  'key-switched': '换了密钥',
  'tools-changed': '工具变了',
  'system-changed': '系统提示变了',
  'message-edited': '消息被改过',
  idle: '闲置',
  'not-known': '原因未知',
}

const more = ({ costUsd, worthUsd }: Spend): string[] => [
  ...(costUsd === null ? [] : [zh`多花 ${figures.money(costUsd)}`]),
  ...(worthUsd ? [zh`按标价多值 ${figures.money(worthUsd)}`] : []),
]

export function cold({ why, message, idle, tokens, ...spend }: ColdCache): string {
  const because =
    message !== undefined
      ? zh`第 ${message} 条消息被改过`
      : idle
        ? zh`闲置 ${figures.span(idle.ms)}，只保留 ${figures.span(idle.keptMs)}`
        : coldReason[why]
  return zh`${figures.list([zh`${figures.tokens(tokens)} token 未命中缓存`, ...more(spend)])}：${because}`
}

export function coldCaches({ requests, tokens, why, ...spend }: ColdSums): string {
  const reasons = Object.entries(why) as [ColdReason, number][]
  return zh`${figures.list([zh`${requests} 次，${figures.tokens(tokens)} token`, ...more(spend)])}：${figures.list(
    reasons.map(([reason, count]) => zh`${coldReason[reason]} ${count}`),
  )}`
}

export const cacheUntil = (at: number, now: number): string =>
  at > now
    ? zh`服务商的缓存保留到 ${figures.minuteOfDay(at, now)}`
    : zh`服务商的缓存在 ${figures.minuteOfDay(at, now)} 已失效`

const notWarm: Readonly<Record<NotWarm, string>> = {
  off: '这个服务商没有开启',
  'not-known': '不知道这个服务商保留多久，或如何续',
  form: '服务商不接受这种形式的无输出请求',
  'no-price': '不知道按 token 的价格',
  'no-time': '不知道会话何时继续',
  lasts: '到时仍有效',
  rests: '会话在运行、已暂停或没有终端',
  'too-late': '可能已失效',
  'not-cheaper': '续的花费不低于未命中',
  budget: '预算已用完',
  failed: '服务商没有照办',
}

export const keepWarm = (kept: KeepWarm, now: number): string =>
  kept.kind === 'none'
    ? zh`没有续缓存：${notWarm[kept.why]}`
    : zh`Onward 会续缓存：${kept.pings} 次请求，下一次 ${figures.minuteOfDay(kept.at, now)}，` +
      zh`最多花 ${figures.money(kept.costUsd)}；未命中会多花 ${figures.money(kept.savesUsd)}`

export const warmCaches = ({ requests, ...spend }: WarmSums): string =>
  figures.list([zh`${requests} 次请求`, figures.cost(spend)].filter((part) => part !== null))
