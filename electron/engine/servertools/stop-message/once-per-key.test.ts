import { expect, it } from 'vitest'
import { oncePerKey } from './once-per-key.ts'

it('says yes once of each, and forgets the longest ago', () => {
  const first = oncePerKey(2)
  expect(['a', 'a', 'b', 'a', 'c', 'c', 'a'].map(first)).toEqual([true, false, true, false, true, false, true])
})
