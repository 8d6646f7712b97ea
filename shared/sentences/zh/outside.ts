import type { OutsideFailure, OutsideState } from '../../notifications.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import type { OutsideWords } from '../types.ts'
import { zh } from './spaced.ts'

const figures = figuresOf('zh-CN')

export const outside: OutsideWords = {
  test: { title: 'Onward 能在这里找到你', body: '这是设置里发来的测试' },
  several: (count) => zh`Onward 有 ${count} 条通知`,
  more: (count) => zh`还有 ${count} 条`,
  over: (name) => zh`${name} 已经不再问了`,
  failure,
  state,
  went: (to, result, why) => {
    const said = why ? `：${excerpt(why)}` : ''
    switch (result) {
      case 'shown':
        return zh`已发到 ${to}`
      case 'suppressed':
        return zh`没有发到 ${to}${said}`
      case 'failed':
        return zh`发不到 ${to}${said}`
    }
  },
}

function failure(why: OutsideFailure): string {
  switch (why.code) {
    case 'no-address':
      return zh`不知道它的地址：${why.why}`
    case 'unreachable':
      return '连不上，看看地址和网络'
    case 'timeout':
      return '10 秒内没有回答'
    case 'ended':
      return '还没发出就关掉了，或 Onward 退出了'
    case 'answered':
      return why.said === null ? answered(why.status) : `${answered(why.status)}（${excerpt(why.said)}）`
  }
}

function answered(status: number): string {
  if (status === 400) return '它不收这样的消息，看看类型和地址是否相符'
  if (status === 401 || status === 403) return zh`它拒绝了，返回 ${status}，看看令牌和地址`
  if (status === 404 || status === 410) return zh`这个地址已经没人接收，返回 ${status}，到那边新建一个`
  if (status === 429) return '它说发得太多了'
  if (status >= 300 && status < 400) return zh`它指向了别的地址，返回 ${status}，改用那个地址`
  return status >= 500 ? zh`它自己出错，返回 ${status}` : zh`它返回 ${status}`
}

function state(now: OutsideState): string {
  switch (now.kind) {
    case 'unused':
      return '还没发过'
    case 'sent':
      return zh`上次发送：${figures.minute(now.at)}`
    case 'retrying':
      return zh`${figures.minute(now.since)} 起没发出去，${figures.minute(now.next)} 再试。${failure(now.why)}`
    case 'failed':
      return zh`${figures.minute(now.at)} 没发出去。${failure(now.why)}`
  }
}
