import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { gather } from './gather.ts'

function gathered() {
  const clock = virtualClock()
  const told: string[] = []
  const source = { pace: () => told.push('pace'), next: () => told.push('next'), free: () => told.push('free') }
  const pieces = gather(clock, source, (chunk) => told.push(`<${chunk.toString()}>`))
  const comes = (...texts: string[]) => texts.forEach((text) => pieces.data(Buffer.from(text)))
  const now = () => told.splice(0)
  return { clock, pieces, comes, now }
}

describe('pieces of a stream', () => {
  it('go on at once after a silence, all that one read brought together', async () => {
    const { clock, comes, now } = gathered()
    comes('a', 'b')
    await Promise.resolve()
    expect(now()).toEqual(['<ab>'])
    await clock.advance(2)
    comes('c')
    await Promise.resolve()
    expect(now()).toEqual(['<c>'])
  })

  it('that follow closely come as one two milliseconds after the last, and are read one at a time', async () => {
    const { clock, comes, now } = gathered()
    comes('a')
    await clock.advance(1)
    comes('b', 'c')
    comes('d')
    expect(now()).toEqual(['<a>', 'pace'])
    await clock.advance(1)
    expect(now()).toEqual(['<bcd>', 'next'])
    comes('e')
    await clock.advance(2)
    expect(now()).toEqual(['<e>', 'next'])
  })

  it('are read as the socket likes again once they come slowly', async () => {
    const { clock, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    await clock.advance(2)
    expect(now()).toEqual(['<a>', 'pace', '<b>', 'next'])
    await clock.advance(3)
    comes('c')
    await Promise.resolve()
    expect(now()).toEqual(['free', '<c>'])
  })

  it('wait for nothing where they bring much', async () => {
    const { clock, comes, now } = gathered()
    const much = 'm'.repeat(20_000)
    comes('a')
    await Promise.resolve()
    comes(much)
    expect(now()).toEqual(['<a>', `<${much}>`])
    comes('b', much)
    expect(now()).toEqual(['pace', `<b${much}>`, 'next'])
    comes(much)
    await clock.advance(10)
    expect(now()).toEqual([`<${much}>`, 'next'])
  })

  it('that wait go on before the end, and none after it', async () => {
    const { clock, pieces, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    pieces.end()
    expect(now()).toEqual(['<a>', 'pace', 'free', '<b>'])
    await clock.advance(10)
    expect(now()).toEqual([])
  })

  it('that wait are dropped with the answer that nobody wants any more', async () => {
    const { clock, pieces, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    pieces.dispose()
    await clock.advance(10)
    expect(now()).toEqual(['<a>', 'pace', 'free'])
  })

  it('of one read are not given after the answer was dropped', async () => {
    const { pieces, comes, now } = gathered()
    comes('a')
    pieces.dispose()
    await Promise.resolve()
    expect(now()).toEqual([])
  })
})
