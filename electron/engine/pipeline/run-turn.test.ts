import { describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { openOutbox, stages, type Stage } from './run-turn.ts'
import { held } from './testing/held-stage.ts'
import type { Turn } from './turn.ts'

const told: unknown[] = []
const quiet = (): void => undefined
const log: Log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (fields) => {
    told.push(fields)
  },
  child: () => log,
}

describe('openOutbox', () => {
  it('gives the outbox of the scope', async () => {
    expect(await openOutbox('pty:t1', 'req_1', { log, outboxOf: async (scope) => `outbox of ${scope}` })).toBe(
      'outbox of pty:t1',
    )
    expect(told).toEqual([])
  })

  it('lets the request go on without one that can’t be read, and the log says why', async () => {
    const outboxOf = async (): Promise<string> => {
      throw new OnwardError('store-newer', 'It was written by a newer Onward.')
    }
    expect(await openOutbox('pty:t1', 'req_1', { log, outboxOf })).toBeNull()
    expect(told).toEqual([
      { requestId: 'req_1', scope: 'pty:t1', code: 'store-newer', error: 'It was written by a newer Onward.' },
    ])
  })
})

// Each request of the tests of rounds runs through `held` stages.
describe('a stage', () => {
  it('fails a test where it writes a field that it does not name', async () => {
    const turn = { ordinal: 1, draft: {} } as unknown as Turn
    const stage: Stage = {
      name: 'greedy',
      writes: ['draft'],
      run: (mine) => void Object.assign(mine, { draft: {}, ordinal: 2 }),
    }
    await expect(held(stage).run(turn, {} as never, {} as never)).rejects.toThrow('“greedy” writes ordinal.')
    await held({ ...stage, writes: ['draft', 'ordinal'] }).run(turn, {} as never, {} as never)
  })
  it('follows what it reads: markers before they are taken out, alarms and tools before the time', () => {
    const order = stages.map(({ name }) => name)
    for (const [first, then] of [
      ['receipt', 'markers'],
      ['markers', 'strip'],
      ['strip', 'alarms'],
      ['alarms', 'tools'],
      ['thinking', 'tools'],
      ['tools', 'images'],
      ['images', 'time'],
    ] as const)
      expect(order.indexOf(first)).toBeLessThan(order.indexOf(then))
  })
})
