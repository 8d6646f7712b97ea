import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { figuresOf } from './figures.ts'
import { runs } from '../testing/runs.ts'

const en = figuresOf('en', 'Europe/Berlin')
const zh = figuresOf('zh-CN', 'Europe/Berlin')
const at = Date.UTC(2026, 10, 21, 13, 11, 54)

describe('figures', () => {
  it.each([
    [en.ago(300), 'now'],
    [en.ago(20_000), '20 s'],
    [en.ago(34 * 60_000), '34 min'],
    [en.ago(119 * 60_000), '1 h'],
    [en.ago(3 * 86_400_000), '3 d'],
    [en.ago(-5_000), 'now'],
    [zh.ago(300), '刚刚'],
    [zh.ago(2 * 60_000), '2 分钟'],
    [zh.ago(3_600_000), '1 小时'],
    [en.span(38_000), '38 s'],
    [en.span(18 * 60_000), '18 min'],
    [en.span(108 * 60_000), '1 h 48 min'],
    [en.span(7_200_000), '2 h'],
    [en.span(-1), '0 s'],
    [en.sum(31_140_000), '8 h 39 min'],
    [en.sum(138_360_000), '38 h'],
    [zh.span(108 * 60_000), '1 小时 48 分'],
    [zh.span(38_000), '38 秒'],
    [en.took(0), '<0.1 s'],
    [en.took(49), '<0.1 s'],
    [en.took(50), '0.1 s'],
    [en.took(800), '0.8 s'],
    [en.took(8_200), '8.2 s'],
    [en.took(38_000), '38 s'],
    [en.took(9_960), '10 s'],
    [en.took(59_900), '59 s'],
    [en.took(72_000), '1 min 12 s'],
    [en.took(4_440_000), '1 h 14 min'],
    [en.tokens(24), '24'],
    [en.tokens(3096), '3.1k'],
    [en.tokens(48_214), '48.2k'],
    [en.tokens(181_000), '181k'],
    [en.tokens(999_600), '1.0M'],
    [en.tokens(1_800_000), '1.8M'],
    [en.bytes(61_500), '61.5 kB'],
    [en.money(1.32), '$1.32'],
    [en.money(0.004), '<$0.01'],
    [en.money(0), '$0'],
    [en.time(at), '14:11:54'],
    [en.minute(at), '14:11'],
    [en.minuteOfDay(at, at), '14:11'],
    [en.minuteOfDay(at, at + 86_400_000), '21 November 14:11'],
    [zh.minuteOfDay(at, at), '14:11'],
    [zh.minuteOfDay(at, at - 86_400_000), '11 月 21 日 14:11'],
    [en.day(at, at), 'Today, Saturday 21 November'],
    [en.day(at - 86_400_000, at), 'Yesterday, Friday 20 November'],
    [en.day(at - 3 * 86_400_000, at), 'Wednesday 18 November'],
    [zh.day(at, at), '今天，11 月 21 日 星期六'],
    [en.instant(at), 'Saturday 21 November 2026, 14:11:54'],
    [zh.instant(at), '2026 年 11 月 21 日 星期六 14:11:54'],
    [en.list(['a', 'b']), 'a, b'],
    [zh.list(['a', 'b']), 'a，b'],
  ])('%s', (said, expected) => expect(said).toBe(expected))

  it('keep token figures within five characters and a unit, so that columns stay narrow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_000_000_000 }), (count) => en.tokens(count).length <= 5),
      runs(100),
    )
  })
})
