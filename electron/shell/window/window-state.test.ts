import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { placeWindow, smallestSize, usualSize, type WindowState } from './window-state.ts'
import { runs } from '../../../shared/testing/runs.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const beside = { x: 1440, y: 0, width: 2560, height: 1400 }
const at = (x: number, y: number, width = 1000, height = 700): WindowState => ({
  x,
  y,
  width,
  height,
  maximized: false,
})

describe('where a window opens', () => {
  it.each([
    ['the first time: its usual size, where the system puts it', null, [laptop], usualSize],
    [
      'the first time on a small screen: no larger than that',
      null,
      [{ x: 0, y: 0, width: 1024, height: 700 }],
      { width: 1024, height: 700 },
    ],
    ['as it was', at(100, 60), [laptop], { x: 100, y: 60, width: 1000, height: 700 }],
    ['as it was, on the second screen', at(1800, 60), [laptop, beside], { x: 1800, y: 60, width: 1000, height: 700 }],
    ['its size only, when the second screen is gone', at(1800, 60), [laptop], { width: 1000, height: 700 }],
    ['its size only, when its upper edge is out of reach', at(100, -60), [laptop], { width: 1000, height: 700 }],
    ['its size only, when only a corner would show', at(1400, 60), [laptop], { width: 1000, height: 700 }],
    ['partly outside is how the person left it', at(-300, 60), [laptop], { x: -300, y: 60, width: 1000, height: 700 }],
    ['no larger than the screen it is on', at(0, 25, 4000, 3000), [laptop], { x: 0, y: 25, width: 1440, height: 875 }],
    ['without any screen', at(10, 10), [], { width: 1000, height: 700 }],
  ])('%s', (_what, saved, areas, place) => {
    expect(placeWindow(saved, areas)).toEqual(place)
  })

  it('never opens smaller than can be used', () => {
    const area = fc.record({
      x: fc.integer({ min: -5000, max: 5000 }),
      y: fc.integer({ min: -5000, max: 5000 }),
      width: fc.integer({ min: 1, max: 8000 }),
      height: fc.integer({ min: 1, max: 8000 }),
    })
    fc.assert(
      fc.property(fc.option(area), fc.array(area, { maxLength: 4 }), (saved, areas) => {
        const place = placeWindow(saved && { ...saved, maximized: false }, areas)
        expect(place.width).toBeGreaterThanOrEqual(smallestSize.width)
        expect(place.height).toBeGreaterThanOrEqual(smallestSize.height)
      }),
      runs(100),
    )
  })
})
