import { describe, expect, it } from 'vitest'
import { wordsOf } from '../testing/words.ts'
import { countdown } from './countdown.ts'
import { figuresOf } from '../../shared/sentences/figures.ts'

/** Saturday 21 November 2026, 14:12:32 in Berlin */
const now = Date.UTC(2026, 10, 21, 13, 12, 32)
const zone = 'Europe/Berlin'
const at = (iso: string): number => Date.parse(`${iso}+01:00`)

describe('a countdown', () => {
  it.each([
    ['2026-11-21T14:13:10', 'in 38 s', '38 秒后'],
    ['2026-11-21T14:13:32', 'in 1 min', '1 分钟后'],
    ['2026-11-21T14:30:00', 'in 18 min', '18 分钟后'],
    ['2026-11-21T16:00:00', 'in 1 h 48 min', '1 小时 48 分后'],
    ['2026-11-22T02:12:31', 'in 12 h', '12 小时后'],
    ['2026-11-22T09:00:00', 'in 18 h', '18 小时后'],
    ['2026-11-22T23:00:00', 'in 32 h', '32 小时后'],
    ['2026-11-30T09:00:00', 'in 9 days', '9 天后'],
    ['2026-11-21T14:12:32', 'due now', '到点了'],
    ['2026-11-21T14:11:40', 'due now', '到点了'],
    ['2026-11-21T14:09:30', '3 min late', '晚了 3 分钟'],
  ])('to %s', (iso, en, zh) =>
    expect(
      (['en', 'zh-CN'] as const).map((language) =>
        countdown(at(iso), now, wordsOf(language), figuresOf(language, zone)),
      ),
    ).toEqual([en, zh]),
  )
})
