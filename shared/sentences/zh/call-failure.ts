import { zh } from './spaced.ts'

export function callFailure(failure: string): string {
  const words = said[failure]
  if (words === undefined) return /^\d{3}$/.test(failure) ? zh`返回 ${failure}` : '失败了'
  return /^\d{3}$/.test(failure) ? zh`返回 ${failure}，${words}` : words
}

const said: Readonly<Record<string, string>> = {
  '400': '它认为请求有误',
  '401': '密钥被拒绝',
  '402': '余额不足',
  '403': '这个密钥没有权限',
  '404': '没有这个模型或地址',
  '408': '等请求等得太久',
  '413': '请求太大',
  '429': '请求太快，或额度用完',
  '500': '它自己出错',
  '502': '它后面的服务器出错',
  '503': '暂时不可用',
  '504': '它后面的服务器太慢',
  '529': '过载',
  'upstream-unreachable': '连不上',
  'upstream-timeout': '没有及时回答',
  'upstream-silent': '没有动静了',
  'upstream-broke-off': '中途断开',
  'upstream-aborted': '调用被中断',
  'upstream-restarted': '回答中途又从头开始',
  'upstream-redirected': '它指向了别的地址',
  'upstream-protocol': '它的回答读不懂',
  'upstream-unreadable': '它的回答读不懂',
  'upstream-bad-event': '它的回答读不懂',
  'upstream-half-call': '工具调用只说了一半',
  'upstream-bad-call': '工具调用读不懂',
  'upstream-failed': '回答里报了错',
  'upstream-refused': '它拒绝了',
  'via-away': '有它密钥的那台机器连不上',
  'via-lost': '通往有它密钥的那台机器的线路断了',
  'via-missing': '所经的机器上没有叫这个名称的提供方',
  'via-no-key': '所经的机器上没有它的密钥',
  'via-not-lent': '所经的机器不出借它',
  'via-other-type': '它在所经的机器上是另一种类型',
}
