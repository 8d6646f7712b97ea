import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const drives: Dictionary['drives'] = {
  title: (n, unsure) =>
    (n === 0 ? '目前没有看到 Onward 以外的东西让此代理继续' : zh`除 Onward 外，还有 ${n} 项让此代理继续`) +
    (unsure > 0 ? zh`，另有 ${unsure} 项不确定` : ''),
  stopAll: '停止 Onward 以外的全部',
  stop: '停止',
  asksTitle: '它可以继续自行运行吗？',
  asks: (used) => zh`代理自己设置的已用满 ${used}。它自己的目标、循环或定时会一直继续，直到你停止。`,
  letGoOn: '让它继续',
  takeOver: '由 Onward 继续',
  takeOverHint: '以这些话设为 Onward 的目标',
  what: '内容',
  since: '开始于',
  sinceUnknown: '在 Onward 看到之前就有了',
  next: '下次',
  spent: '至今',
  bound: '上限',
  unbound: '无',
  setOne: '设一个',
  boundOf: '它自己的上限',
  boundFor: (name) => `上限：${name}`,
  boundUsed: (percent) => zh`已用 ${percent}`,
  boundSet: '到时问我',
  boundNone: '不设上限',
  close: '取消',
  boundless: (n) => zh`其中 ${n} 项没有自己的上限。预算对全部有效。`,
  between: (from, to) => zh`${from} 至 ${to}`,
  left: (span) => zh`${span}后`,
  seenBy: (source, version) =>
    `${source === 'message' ? '见于消息' : source === 'request' ? '见于它自己的请求' : source}${
      version === null ? '' : `，${version}`
    }`,
}
