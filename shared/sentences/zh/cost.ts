import type { ColdCache, ColdReason, ColdSums, Costing, Spend, Spent } from '../../cost/cost.ts'
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
