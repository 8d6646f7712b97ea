import { describe, expect, it } from 'vitest'
import { ownTurn } from './own-turn.ts'

describe('a turn of the event loop of its own', () => {
  it('is given to one at a time, in the order they asked', async () => {
    const seen: string[] = []
    let over = false
    const watch = () => {
      seen.push('|')
      if (!over) setImmediate(watch)
    }
    const worker = async (name: string) => {
      for (let slice = 1; slice <= 3; slice++) {
        await ownTurn()
        seen.push(`${name}${slice}`)
      }
    }
    setImmediate(watch)
    await Promise.all([worker('a'), worker('b')])
    over = true
    expect(seen.join('').replace(/\|+/g, '|')).toBe('|a1|b1|a2|b2|a3|b3')
  })
})
