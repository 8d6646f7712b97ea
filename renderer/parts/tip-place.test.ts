import { describe, expect, it } from 'vitest'
import { placeOfTip } from './tip-place.ts'

const window = { width: 1000, height: 600 }
const tip = { width: 100, height: 24 }
const button = (left: number, top: number) => ({ left, top, width: 30, height: 30 })

describe('a tip', () => {
  it('stands above the middle of what it speaks of', () => {
    expect(placeOfTip(button(500, 300), tip, 'top', window)).toEqual({ left: 465, top: 270 })
  })

  it('stands below where there is no room above', () => {
    expect(placeOfTip(button(500, 10), tip, 'top', window)).toEqual({ left: 465, top: 46 })
  })

  it('stays within the window', () => {
    expect(placeOfTip(button(0, 300), tip, 'top', window).left).toBe(8)
    expect(placeOfTip(button(970, 300), tip, 'top', window).left).toBe(892)
    expect(placeOfTip(button(10, 580), tip, 'right', window)).toEqual({ left: 46, top: 568 })
  })

  it('goes to the left where there is no room at the right', () => {
    expect(placeOfTip(button(920, 300), tip, 'right', window)).toEqual({ left: 814, top: 303 })
  })
})
