import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { added, dropIndex, keysOfPool, moved, parseTarget, parseWeight, weighted, without, type Box } from './pool.ts'
import { targetText } from '../../shared/target-text.ts'
import { runs } from '../../shared/testing/runs.ts'

const pool = [
  { target: 'zai.glm-5', weight: 3 },
  { target: 'a.b', weight: 1 },
  { target: 'c.d', weight: null },
]
const targets = (of: readonly { target: string }[]) => of.map((entry) => entry.target)

describe('a pool', () => {
  it.each([
    [0, 1, ['a.b', 'zai.glm-5', 'c.d']],
    [2, 0, ['c.d', 'zai.glm-5', 'a.b']],
    [0, 9, ['a.b', 'c.d', 'zai.glm-5']],
    [1, -1, ['a.b', 'zai.glm-5', 'c.d']],
    [7, 0, ['zai.glm-5', 'a.b', 'c.d']],
  ] as const)('moves %i to %i', (from, to, order) => expect(targets(moved(pool, from, to))).toEqual(order))

  it('keeps everything when it is moved, weights too', () =>
    fc.assert(
      fc.property(fc.nat(4), fc.integer({ min: -3, max: 6 }), (from, to) => {
        const next = moved(pool, from, to)
        expect([...next].sort((a, b) => a.target.localeCompare(b.target))).toEqual(
          [...pool].sort((a, b) => a.target.localeCompare(b.target)),
        )
      }),
      runs(100),
    ))

  it('loses, weighs and gains one entry', () => {
    expect(targets(without(pool, 1))).toEqual(['zai.glm-5', 'c.d'])
    expect(weighted(pool, 2, 5)).toEqual([pool[0], pool[1], { target: 'c.d', weight: 5 }])
    expect(added(pool, 'e.f').at(-1)).toEqual({ target: 'e.f', weight: null })
  })

  it('has a name for each entry, twice the same target too', () =>
    expect(keysOfPool([...pool, { target: 'a.b', weight: 2 }])).toEqual(['zai.glm-5', 'a.b', 'c.d', 'a.b#1']))
})

describe('a target', () => {
  it.each([
    ['zai/glm-5', 'zai.glm-5'],
    ['zai.glm-5', 'zai.glm-5'],
    [' zai, glm-5 ', 'zai.glm-5'],
    ['ollama/qwen3:8b', 'ollama.qwen3:8b'],
    ['openrouter/z-ai/glm-5', 'openrouter.z-ai/glm-5'],
    ['o.gpt-5.1', 'o.gpt-5.1'],
    ['glm-5', null],
    ['zai/', null],
    ['/glm', null],
    ['', null],
    ['my zai/glm', null],
  ])('typed as %j is %j', (text, target) => expect(parseTarget(text)).toBe(target))

  it.each([
    ['zai.glm-5', 'zai/glm-5'],
    ['o.gpt-5.1', 'o/gpt-5.1'],
  ])('%s is read as %s', (target, text) => expect(targetText(target)).toBe(text))
})

describe('a weight', () => {
  it.each([
    ['3', 3],
    ['', null],
    [' ', null],
    ['0,5', 0.5],
    ['0', 'bad'],
    ['-1', 'bad'],
    ['many', 'bad'],
    ['1e999', 'bad'],
  ] as const)('%j is %j', (text, weight) => expect(parseWeight(text)).toBe(weight))
})

describe('a drop', () => {
  const box = (left: number, top: number): Box => ({ left, right: left + 100, top, bottom: top + 24 })
  const others = [box(0, 0), box(104, 0), box(0, 28)]
  it.each([
    [[10, 10], 0],
    [[60, 10], 1],
    [[300, 10], 2],
    [[-5, 35], 2],
    [[80, 40], 3],
    [[80, 500], 3],
    [[80, -50], 0],
  ] as const)('at %j lands at %i', ([x, y], index) => expect(dropIndex(others, x, y)).toBe(index))
})
