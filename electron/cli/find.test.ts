import { expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

const asked: unknown[] = []
const api: Partial<ControlApi> = {
  async findSaid(input) {
    asked.push(input)
    if (input.words === 'nothing') return []
    const session = { id: 'ses_0001', name: 'billing' }
    return [{ seq: 7, at: sceneTime, session, type: 'queued', excerpt: 'run the \u001b[2Jmigration' }]
  },
}

it('says where words were said, in one line each', async () => {
  expect(await against(api, ['find', 'migration'])).toMatchObject({
    code: 0,
    out: '14:12:00  billing  run the  [2Jmigration\n',
  })
  expect((await against(api, ['find', 'two words', '--session', 'bill', '--limit', '3', '--json'])).out).toContain(
    '"name":"billing"',
  )
  expect(asked).toEqual([
    { words: 'migration', session: null, limit: 50 },
    { words: 'two words', session: 'bill', limit: 3 },
  ])
  expect((await against(api, ['find', 'nothing'])).out).toBe('Nothing that is kept says “nothing”.\n')
})

it('takes words, and a limit the engine takes', async () => {
  for (const words of [['find'], ['find', ' '], ['find', 'a', '--limit', '201'], ['find', 'a', '--limit', 'all']])
    expect(await against(api, words)).toMatchObject({ code: 2 })
})
