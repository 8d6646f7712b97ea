import { describe, expect, it } from 'vitest'
import { factorOf, numberText, readNumber } from './units.ts'

const span = { min: 60_000, max: 604_800_000, above: false, whole: true }

describe('a number with a unit', () => {
  it('is shown in what a person counts in', () => {
    expect(numberText(1_200_000, factorOf('clock.retentionMs', 'minutes'))).toBe('20')
    expect(numberText(800, factorOf('clock.ntp.timeoutMs', 'seconds'))).toBe('0.8')
    expect(numberText(900, factorOf('servertools.maxSeconds', 'minutes'))).toBe('15')
    expect(numberText(2 * 1024 * 1024, factorOf('servertools.webFetch.maxBytes', 'megabytes'))).toBe('2')
    expect(numberText(400, factorOf('stopMessage.settleMs', 'ms'))).toBe('400')
  })

  it('is read back as what stands in the file', () => {
    expect(readNumber(' 1 000 ', span, 60_000)).toEqual({ value: 60_000_000 })
    expect(readNumber('1,5', span, 60_000)).toEqual({ value: 90_000 })
    expect(readNumber('', span, 60_000)).toEqual({ value: null })
    expect(readNumber('0.3', { min: 0, max: null, above: true, whole: true }, 1024 * 1024)).toEqual({ value: 314_573 })
  })

  it('is refused by what is wrong with it, in the unit that is shown', () => {
    expect(readNumber('soon', span, 1)).toEqual({ misread: { kind: 'no-number' } })
    expect(readNumber('-1', span, 1)).toEqual({ misread: { kind: 'no-number' } })
    expect(readNumber('2.5', { ...span, min: 0 }, 1)).toEqual({ misread: { kind: 'whole' } })
    const range = { misread: { kind: 'range', min: 1, above: false, max: 10_080 } }
    expect(readNumber('0', span, 60_000)).toEqual(range)
    expect(readNumber('10081', span, 60_000)).toEqual(range)
    expect(readNumber('0', { min: 0, max: null, above: true, whole: false }, 1)).toEqual({
      misread: { kind: 'range', min: 0, above: true, max: null },
    })
  })
})
