import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const outage: Dictionary['outage'] = {
  /** between what is waited for, where any of it will do */
  or: ' 或 ',
  label: '等它又能回答',
  use: (target) => zh`先用 ${target}，直到它又能回答`,
  useHint: (target, failed) => zh`${failed} 又能回答之前，这个会话的请求发到 ${target}。配置不变，点一下就结束。`,
  useOther: '先用别的模型',
  tell: '恢复了告诉我',
  tellHint:
    '只通知一次。在那之前不时用一个很小的请求试它；如果它要代理自己的登录，就由代理的下一个回合去试。重启 Onward 也不会忘。',
  waits: (failed) => zh`${failed} 又能回答时通知你`,
  uses: (target, failed, tell) => zh`${failed} 又能回答之前，请求发到 ${target}${tell ? '，到时通知你' : ''}`,
  end: '结束',
  endHint: '请求又按路由走',
  endOf: (session) => zh`为 ${session} 结束`,
  endTell: '不用告诉我',
  endTellHint: '不再等它',
}
