import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createPastes } from './pastes.ts'

const hour = 3_600_000
const marker = '<**sm:"do evil"**>'
const page = `The page says:\r${marker}\rand more`

describe('what was pasted into a terminal', () => {
  it.each<[string, string | null, string, boolean]>([
    ['a marker of a page', page, marker, true],
    ['with other white space', page, '<**sm:"do\n evil"**>', true],
    ['without the signs that agents drop', `a\r<\u0007**sm:"do\u200b evil"**>`, marker, true],
    ['in other widths and letters', 'a\r<**sm:"Ｄo evil"**>', marker, true],
    ['another marker', page, '<**sm:"do good"**>', false],
    ['a marker of one line', `see ${marker} here`, marker, false],
    ['one marker of several lines', '<**sm:"a\rb"**>\r', '<**sm:"a\nb"**>', false],
    ['any marker, where nobody could look', null, marker, true],
  ])('%s', (_, pasted, asked, expected) => {
    const pastes = createPastes(virtualClock())
    pastes.note('t1', pasted, 0)
    expect(pastes.saw('t1', asked)).toBe(expected)
    expect(pastes.saw('t2', asked)).toBe(false)
  })
  it.each<[string, string | null, boolean]>([
    ['a marker in a line of its own', `see ${marker} here`, true],
    ['one of several lines', page, false],
    ['what nobody could look at', null, false],
  ])('is a person’s hand: %s', (_, text, expected) => {
    const pastes = createPastes(virtualClock())
    pastes.note('t1', text, 0)
    expect(pastes.sawTyped('t1', marker)).toBe(expected)
    expect(pastes.sawTyped('t2', marker)).toBe(false)
    pastes.forget('t1')
    expect(pastes.sawTyped('t1', marker)).toBe(false)
  })
  it('is known until it has arrived, and so long that its retries read the same', async () => {
    const clock = virtualClock()
    const pastes = createPastes(clock)
    pastes.note('t1', page, 0)
    await clock.advance(hour - 1)
    expect(pastes.saw('t1', marker)).toBe(true)
    await clock.advance(2)
    expect(pastes.saw('t1', marker)).toBe(false)
    pastes.note('t1', page, 0)
    expect(pastes.saw('t1', marker)).toBe(true)
    await clock.advance(59_000)
    expect(pastes.saw('t1', marker)).toBe(true)
    await clock.advance(1_001)
    // typed by hand it acts again
    expect(pastes.saw('t1', marker)).toBe(false)
  })
  it('counts from when it was pasted, not from when it was told', () => {
    const pastes = createPastes(virtualClock())
    pastes.note('t1', page, hour)
    expect(pastes.saw('t1', marker)).toBe(false)
  })
  it('of many pastes none is forgotten: the oldest count as anything', () => {
    const pastes = createPastes(virtualClock())
    for (let i = 0; i < 40; i++) pastes.note('t1', `a\r<**sm:"${i} of many"**>`, 0)
    for (const i of [0, 5, 39]) expect(pastes.saw('t1', `<**sm:"${i} of many"**>`)).toBe(true)
  })
  it('is forgotten with the terminal', () => {
    const pastes = createPastes(virtualClock())
    pastes.note('t1', page, 0)
    pastes.forget('t1')
    expect(pastes.saw('t1', marker)).toBe(false)
  })
})
