import { describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { openOutbox } from './run-turn.ts'

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
