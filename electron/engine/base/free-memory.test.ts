import { describe, expect, it } from 'vitest'
import { freeMemory } from './free-memory.ts'

const held = (): number => process.memoryUsage().arrayBuffers
const size = 8 * 1024 * 1024

describe('memory that is given back', () => {
  it('is free at once, without a collection', () => {
    freeMemory(Buffer.alloc(1))
    const before = held()
    const bytes = Buffer.alloc(size, 1)
    expect(held() - before).toBeGreaterThan(size / 2)
    freeMemory(bytes)
    expect(held() - before).toBeLessThan(size / 2)
    expect([bytes.length, bytes[0]]).toEqual([0, undefined])
  })

  it('is all of it: what stands beside other bytes stays', () => {
    const whole = Buffer.from('all of it')
    const alone = Buffer.alloc(4, 'b')
    freeMemory(whole)
    freeMemory(alone.subarray(1))
    expect([whole.toString(), alone.toString()]).toEqual(['all of it', 'bbbb'])
  })
})
