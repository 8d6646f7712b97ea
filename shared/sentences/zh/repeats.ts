import { areDays, everyDay, workdays, type RepeatRule } from '../../alarms/repeat.ts'
import { figuresOf } from '../figures.ts'
import { clockTime, endDay, inZone, type RepeatFacts } from '../repeat-facts.ts'
import { zh } from './spaced.ts'

const names = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

function rule(said: RepeatRule): string {
  if (said.kind === 'interval') return zh`每 ${figuresOf('zh-CN').span(said.ms)}`
  const { weekdays, monthDay } = said
  if (monthDay !== undefined) return zh`每月 ${monthDay} 日 ${clockTime(said)}`
  const which = areDays(weekdays, everyDay)
    ? '每天'
    : areDays(weekdays, workdays)
      ? '每个工作日'
      : `每${weekdays.map((day) => names[day] ?? '').join('、')}`
  return zh`${which} ${clockTime(said)}`
}

const briefly = (repeat: RepeatFacts): string => `${rule(repeat.rule)}${inZone(repeat, (zone) => `（${zone}）`)}`

export const repeats = {
  repeat: (repeat: RepeatFacts): string =>
    repeat.times === 1
      ? zh`${briefly(repeat)}，一次`
      : zh`${briefly(repeat)}，到 ${endDay('zh-CN', repeat)}，共 ${repeat.times} 次`,
  repeatNow: (repeat: RepeatFacts & { nth: number }): string =>
    zh`${briefly(repeat)}，第 ${repeat.nth} 次，共 ${repeat.times} 次`,
}
