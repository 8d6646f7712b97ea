import { describe, expect, it } from 'vitest'
import type { RepeatRule } from '../alarms/repeat.ts'
import { sentencesOf } from './index.ts'

const days = (weekdays: number[], hour = 9, minute = 0): RepeatRule => ({ kind: 'days', weekdays, hour, minute })
const facts = (rule: RepeatRule, more = {}) => ({
  rule,
  zone: 'Europe/Berlin',
  shownIn: 'Europe/Berlin',
  times: 30,
  untilMs: Date.parse('2026-12-22T09:00:00+01:00'),
  nth: 2,
  ...more,
})

describe('a repeat is said', () => {
  it.each<[RepeatRule, object, string, string]>([
    [
      days([0, 1, 2, 3, 4, 5, 6]),
      {},
      'every day at 9:00 until Tuesday 22 December, 30 times',
      '每天 9:00，到 12 月 22 日 星期二，共 30 次',
    ],
    [
      days([1, 2, 3, 4, 5], 9, 30),
      { zone: 'America/New_York' },
      'every weekday at 9:30, America/New_York until Tuesday 22 December, 30 times',
      '每个工作日 9:30（America/New_York），到 12 月 22 日 星期二，共 30 次',
    ],
    [
      days([1, 3, 5]),
      { times: 1 },
      'every Monday, Wednesday and Friday at 9:00, once',
      '每周一、周三、周五 9:00，一次',
    ],
    [
      { kind: 'interval', ms: 7_200_000 },
      {},
      'every 2 h until Tuesday 22 December 09:00, 30 times',
      '每 2 小时，到 12 月 22 日 星期二 09:00，共 30 次',
    ],
  ])('%j', (rule, more, en, zh) => {
    expect(sentencesOf('en').repeat(facts(rule, more))).toBe(en)
    expect(sentencesOf('zh-CN').repeat(facts(rule, more))).toBe(zh)
  })
  it('with where it has come to', () => {
    const one = facts(days([1]))
    expect(sentencesOf('en').repeatNow(one)).toBe('every Monday at 9:00, 2 of 30')
    expect(sentencesOf('zh-CN').repeatNow(one)).toBe('每周一 9:00，第 2 次，共 30 次')
  })
})
