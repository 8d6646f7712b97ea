import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const logs: Dictionary['logs'] = {
  label: '日志，新的在前',
  level: '级别',
  levels: { debug: '全部', info: '信息及以上', warn: '警告', error: '错误' },
  level1: { debug: '调试', info: '信息', warn: '警告', error: '错误' },
  filter: '按文字筛选',
  found: (n) => zh`${n} 行`,
  gap: '更早的在文件里',
  follow: '跟随',
  copyShown: '复制显示的内容',
  copyLine: '复制这一行',
  copied: (n) => zh`已复制 ${n} 行`,
  nothing: '没有符合的日志。',
  unread: '日志读不了',
}
