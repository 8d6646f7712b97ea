import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import { spaced } from './spaced.ts'

function counting(work: () => void = () => undefined) {
  const clock = virtualClock()
  const runs: number[] = []
  const drawing = spaced(clock, 100, () => {
    runs.push(clock.monotonic())
    work()
  })
  return { clock, runs, drawing }
}

describe('what is spaced', () => {
  it('is done at once the first time', () => {
    const { runs, drawing } = counting()
    drawing.ask()
    expect(runs).toEqual([0])
  })
  it('is done once for all who ask meanwhile, with the last of them in it', async () => {
    const { clock, runs, drawing } = counting()
    for (let i = 0; i < 5; i++) drawing.ask()
    await clock.advance(99)
    expect(runs).toEqual([0])
    await clock.advance(1)
    expect(runs).toEqual([0, 100])
    await clock.advance(1_000)
    expect(runs).toEqual([0, 100])
    drawing.ask()
    expect(runs).toEqual([0, 100, 1_100])
  })
  it('is done at once where that is said, and spaced from then on', async () => {
    const { clock, runs, drawing } = counting()
    drawing.ask()
    await clock.advance(50)
    drawing.ask()
    drawing.now()
    drawing.ask()
    await clock.advance(1_000)
    expect(runs).toEqual([0, 50, 150])
  })
  it('can ask for itself, and is spaced then, too', async () => {
    const { clock, runs, drawing } = counting(() => {
      if (runs.length < 3) drawing.ask()
    })
    drawing.ask()
    expect(runs).toEqual([0])
    await clock.advance(1_000)
    expect(runs).toEqual([0, 100, 200])
  })
  it('is not done after its end', async () => {
    const { clock, runs, drawing } = counting()
    drawing.ask()
    drawing.ask()
    drawing.dispose()
    await clock.advance(1_000)
    expect(runs).toEqual([0])
    expect(clock.pending()).toBe(0)
  })
})
