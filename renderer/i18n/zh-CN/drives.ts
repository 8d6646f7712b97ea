import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const drives: Dictionary['drives'] = {
  title: (n) => (n === 0 ? '除 Onward 外，没有什么让此智能体继续' : zh`除 Onward 外，还有 ${n} 项让此智能体继续`),
  stopAll: '停止 Onward 以外的全部',
  stop: '停止',
  stopped: '正在告知智能体停止',
  what: '内容',
  since: '开始于',
  sinceUnknown: '在 Onward 看到之前就有了',
  next: '下次',
  spent: '至今',
  between: (from, to) => zh`${from} 至 ${to}`,
  left: (span) => zh`${span}后`,
  seenBy: (source, version) =>
    `${source === 'message' ? '见于消息' : source === 'request' ? '见于它自己的请求' : source}${
      version === null ? '' : `，${version}`
    }`,
}
