import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { keep } from './kept.ts'

function world() {
  const clock = virtualClock()
  const written: string[] = []
  const disk = { full: false }
  const write = async (value: string) => {
    if (disk.full) throw new Error('the disk is full')
    written.push(value)
  }
  const kept = keep<string>('a', write, { clock, retryMs: () => 1_000, queue: (work) => work() })
  return { clock, written, disk, kept }
}

describe('what the next write takes with it', () => {
  it('counts at once, and is written with it', async () => {
    const { written, kept } = world()
    kept.writeLater('b')
    expect([kept.value, kept.durable(), written]).toEqual(['b', false, []])
    await kept.writeBestEffort('c')
    await kept.writeOwed()
    expect([kept.durable(), written]).toEqual([true, ['c']])
  })
  it('is written by itself where nothing else was', async () => {
    const { written, kept } = world()
    kept.writeLater('b')
    await kept.writeOwed()
    expect([kept.durable(), written]).toEqual([true, ['b']])
  })
  it('is written later where the disk refused, and stays true', async () => {
    const { clock, disk, written, kept } = world()
    disk.full = true
    kept.writeLater('b')
    await kept.writeOwed()
    expect([kept.value, kept.durable()]).toEqual(['b', false])
    disk.full = false
    await clock.advance(1_000)
    expect([kept.durable(), written]).toEqual([true, ['b']])
  })
  it('is not lost with a wish that was refused', async () => {
    const { disk, written, kept } = world()
    kept.writeLater('b')
    disk.full = true
    await expect(kept.writeDurable('c')).rejects.toThrow('the disk is full')
    disk.full = false
    await kept.flush()
    expect([kept.value, written]).toEqual(['b', ['b']])
  })
})
