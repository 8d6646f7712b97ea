import { expect, it } from 'vitest'
import { findGroups } from './find-groups.ts'
import type { Group } from './groups.ts'

it('finds turns by what was said in them and after them, each word of the query', () => {
  const row = (key: string) => ({ kind: 'turn' as const, key, at: 0, started: null, ended: null, times: 1 })
  const groups: Group[] = [
    { key: 'a', at: 0, rows: [row('Turn 4 ended'), row('Reviewer: not done, 4 links lead nowhere')] },
    { key: 'b', at: 0, rows: [row('Turn 5 failed: 529')] },
  ]
  const found = (query: string) => findGroups(groups, query, ({ key }) => key).map(({ key }) => key)
  expect([found('LINKS turn'), found('529'), found('links 529'), found(' ')]).toEqual([['a'], ['b'], [], ['a', 'b']])
})
