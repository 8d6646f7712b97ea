import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { changeBetween, withChange } from './changes.ts'

const onDisk = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a change between two values', () => {
  it('makes the one out of the other, through the disk', () => {
    // Lists of the same few objects, so that they have parts in common.
    const parts = [{ n: 1 }, { n: 2, list: [1, 2, 3] }, { n: 2, list: [2, 3] }, 'text', null, [[]], [{ n: 1 }, 7]]
    const list = fc.array(fc.constantFrom(...parts), { maxLength: 6 })
    const value = fc.oneof(fc.jsonValue(), list, fc.dictionary(fc.constantFrom('a', 'b', 'c'), list))
    fc.assert(
      fc.property(value, value, (before, after) => {
        const change = changeBetween(before, after)
        const made = change ? withChange(onDisk(before), onDisk(change) as typeof change) : onDisk(before)
        expect(made).toEqual(onDisk(after))
      }),
      runs(3_000),
    )
  })

  it('is of what changed alone, also where a list lost its oldest', () => {
    const rounds = Array.from({ length: 40 }, (_, n) => ({ n, text: 'x'.repeat(500), sent: null as string | null }))
    const opened = [...rounds.slice(1), { n: 40, text: 'new', sent: null }]
    const sent = opened.map((round) => (round.n === 39 ? { ...round, sent: 'go on' } : round))
    const before = { rounds, same: { deep: [1, 2, 3] }, gone: 1 }
    const after = { rounds: sent, same: { deep: [1, 2, 3] }, gone: undefined }
    expect(changeBetween(before, after)).toEqual({
      members: {
        rounds: {
          from: 1,
          length: 40,
          items: { 38: { members: { sent: { is: 'go on' } } }, 39: { is: { n: 40, text: 'new', sent: null } } },
        },
      },
      gone: ['gone'],
    })
  })

  it('is refused by a value that it was not made for', () => {
    expect(() => withChange('text', { members: {} })).toThrow(TypeError)
    expect(() => withChange({}, { from: 0, length: 0, items: {} })).toThrow(TypeError)
    expect(() => withChange({}, { members: { a: { members: {} } } })).toThrow(TypeError)
  })

  it('takes a member of any name for a member', () => {
    const after: unknown = JSON.parse('{"__proto__": {"a": 1}, "is": 2, "items": 3}')
    const change = changeBetween({}, after)
    expect(JSON.stringify(withChange({}, onDisk(change) as NonNullable<typeof change>))).toBe(JSON.stringify(after))
  })
})
