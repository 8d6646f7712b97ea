import { describe, expect, it } from 'vitest'
import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'
import { operations } from '../../../shared/operations/index.ts'
import { rightOf } from '../../../shared/operations/rights.ts'
import { fakeControlApi, sampleSession, sampleStatus } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { answerCommand } from './answer-command.ts'
import { commandSubject } from './subjects.ts'

const secret = 'a word of the conversation'
const api = fakeControlApi({
  status: async () => sampleStatus(),
  session: async () =>
    sampleSession({ say: { code: 'paused', reason: { code: 'needs-user', text: secret }, waiting: 0 } }),
  pause: async () => undefined,
  costs: async () => {
    throw new OnwardError('costs-away', 'They are away.', { details: { day: 'today', path: ['a'], body: {} } })
  },
})
const ask = async (
  right: string,
  operation: string,
  {
    input = null,
    rights = ['say', 'arm'],
    texts = false,
  }: { input?: unknown; rights?: DeviceRight[]; texts?: boolean } = {},
): Promise<unknown> =>
  JSON.parse(
    await answerCommand(
      { api, granted: () => ({ rights, texts }), log: silentLog },
      commandSubject('lab', 'gpu', right, operation),
      JSON.stringify(input),
    ),
  )

describe('a command of the fleet', () => {
  it('is answered as the control API does, without texts unless they are let out', async () => {
    expect(await ask('look', 'status')).toMatchObject({ answer: { pid: 4242, version: '0.1.0' } })
    const quiet = await ask('look', 'session', { input: 'billing' })
    expect(quiet).toMatchObject({ answer: { id: 'ses_0001', say: { code: 'paused', reason: { code: 'needs-user' } } } })
    expect(JSON.stringify(quiet)).not.toContain(secret)
    expect(JSON.stringify(await ask('look', 'session', { input: 'billing', texts: true }))).toContain(secret)
    expect(await ask('arm', 'pause', { input: 'billing' })).toEqual({ answer: null })
  })

  it('is refused with the code, the sentence and the facts that it has there', async () => {
    expect(await ask('look', 'costs', { input: 1 })).toEqual({
      error: { code: 'costs-away', message: 'They are away.', facts: { day: 'today', path: ['a'] } },
    })
    expect(await ask('look', 'session', { input: 7 })).toMatchObject({ error: { code: 'bad-request' } })
    expect(await ask('look', 'sessions')).toMatchObject({ error: { code: 'not-faked' } })
  })

  it('is looked at only where its operation has the right in the subject, and the engine gives it', async () => {
    const allowed = async (rights: DeviceRight[]) => {
      const answered: string[] = []
      for (const operation of [...Object.keys(operations), 'constructor', '__proto__'])
        for (const right of [...deviceRights, 'later', 'admin']) {
          const { error } = (await ask(right, operation, { rights })) as { error?: { code: string } }
          if (error?.code !== 'fleet-may-not') answered.push(`${right} ${operation}`)
        }
      return answered.toSorted()
    }
    const declared = (rights: readonly DeviceRight[]) =>
      Object.entries(operations)
        .flatMap(([name, { kind }]) => {
          const right = rightOf(name)
          return right !== null && rights.includes(right) && kind !== 'subscription' ? [`${right} ${name}`] : []
        })
        .toSorted()
    expect(await allowed(['say', 'arm', 'answer'])).toEqual(declared(deviceRights))
    expect(await allowed([])).toEqual(declared(['look']))
  })
})
