import { describe, expect, it } from 'vitest'
import { contract, fitOf, readContract } from './contract.ts'

describe('two builds', () => {
  it.each([
    [{ version: 5, oldest: 3 }, 'same'],
    [{ version: 4, oldest: 1 }, 'older'],
    [{ version: 3, oldest: 3 }, 'older'],
    [{ version: 2, oldest: 1 }, 'too-old'],
    [{ version: 6, oldest: 5 }, 'newer'],
    [{ version: 9, oldest: 6 }, 'too-new'],
    [null, 'too-old'],
  ] as const)('%j is %s for one of version 5 that takes 3', (theirs, fit) => {
    expect(fitOf(theirs, { version: 5, oldest: 3 })).toBe(fit)
  })
  it('understand each other where they are the same', () => expect(fitOf(contract)).toBe('same'))
})

describe('what another build says of itself', () => {
  it.each([null, undefined, 1, 'x', {}, { version: 1 }, { version: '1', oldest: 1 }, { version: -1, oldest: 0 }])(
    '%j is none',
    (value) => expect(readContract(value)).toBeNull(),
  )
  it('may have more members', () =>
    expect(readContract({ version: 2, oldest: 1, more: true })).toEqual({ version: 2, oldest: 1 }))
})
