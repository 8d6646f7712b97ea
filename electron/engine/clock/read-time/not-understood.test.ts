import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UnreadWhy } from '../../../../shared/alarms/alarms.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { readTime } from './read-time.ts'

/** a Sunday, 12:30 in Berlin */
const sunday = Date.parse('2026-11-22T11:30:00.000Z')
const read = (text: string) => readTime(text, sunday, 'Europe/Berlin')

describe('a refusal says which part was not understood', () => {
  it.each<[string, UnreadWhy, string]>([
    ['Tomrrow 9', 'unknown', 'Tomrrow'],
    ['fri 5pm New Yrok', 'unknown', 'New Yrok'],
    ['周五下午5点 纽越', 'unknown', '纽越'],
    ['in 20 min buy milk', 'unknown', 'buy milk'],
    ['明天吃饭', 'unknown', '吃饭'],
    ['tomorrow 25:00', 'unknown', '25:00'],
    ['明天25点', 'unknown', '25点'],
    ['周八', 'unknown', '周八'],
    ['9am PST', 'unknown', 'PST'],
    // a span is the same everywhere, and an offset has said where
    ['in 20 min Tokyo', 'unknown', 'Tokyo'],
    ['9:00 UTC Tokyo', 'unknown', 'Tokyo'],
    ['9:00 Tokyo Berlin', 'unknown', 'Berlin'],
    ['tonight morning', 'unknown', 'morning'],
    ['fri 26 nov 9:00', 'unknown', 'fri'],
    ['Feb 30', 'unknown', 'Feb 30'],
    ['New York', 'unknown', 'New York'],
    ['3/4 10:00', 'two-readings', '3/4'],
    ['9:00 CST', 'two-readings', 'CST'],
    ['14h30', 'two-readings', '14h30'],
    ['晚上2点', 'two-readings', '晚上2点'],
    ['this weekend', 'vague', 'this weekend'],
    ['in a few minutes', 'vague', 'a few minutes'],
    ['过几分钟', 'vague', '几分钟'],
    ['周末', 'vague', '周末'],
    ['Every 2 days at 9', 'repeats', 'Every 2 days'],
    ['every other day', 'repeats', 'every other day'],
    ['每两天', 'repeats', '每两天'],
    ['每年1月1日', 'repeats', '每年'],
  ])('%s: %s, “%s”', (text, why, part) =>
    expect(read(text)).toEqual({ ok: false, code: 'unread', at: null, part, why }),
  )

  it.each(['9'.repeat(10_000), 'tomorrow '.repeat(1_200), '明天'.repeat(5_000)])(
    'by its beginning, where it is long',
    (text) => expect(read(text)).toMatchObject({ code: 'unread', part: `${text.slice(0, 40).trimEnd()}…` }),
  )

  it('and the part stands in what was written', () => {
    const words = fc.constantFrom(
      'tomorrow',
      'fri',
      '9:00',
      '5pm',
      'in',
      '2 h',
      'Tokyo',
      'blorp',
      '25',
      '明天',
      '9点',
      '纽约',
      '吃',
      'CST',
      'every day',
      'or',
    )
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (said) => {
        const text = said.join(' ')
        const result = read(text)
        if (result.ok || result.code !== 'unread') return
        expect(result.part).not.toBe('')
        // No blanks are kept beside Chinese.
        expect(text.replaceAll(' ', '').toLowerCase()).toContain(
          result.part.replace('…', '').replaceAll(' ', '').toLowerCase(),
        )
      }),
      runs(300),
    )
  })

  it('and a word that no time has is never passed over', () => {
    const times = fc.constantFrom(
      'tomorrow 9',
      'fri 5pm',
      'in 20 min',
      '9:00',
      'fri 5pm New York',
      '明天9点',
      '周五下午5点',
      '20分钟后',
    )
    fc.assert(
      fc.property(times, fc.stringMatching(/^[bcfgjkpqvx]{4,9}$/), fc.boolean(), (time, word, ahead) => {
        expect(read(ahead ? `${word} ${time}` : `${time} ${word}`)).toMatchObject({ code: 'unread', part: word })
      }),
      runs(100),
    )
  })
})
