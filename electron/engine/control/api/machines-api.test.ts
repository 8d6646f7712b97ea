import { describe, expect, it } from 'vitest'
import type { CallThere } from '../../../../shared/machines.ts'
import type { MachineSource } from '../../machine-source.ts'
import { machinesApi } from './machines-api.ts'

function source() {
  const asked: Partial<CallThere>[] = []
  const machines: MachineSource = {
    look: async () => undefined,
    now: () => [],
    list: async () => [],
    watch: () => ({ dispose: () => undefined }),
    async call(what) {
      asked.push(what)
      return 'done there'
    },
    async *follow(what) {
      asked.push(what)
      yield 'first'
    },
    dispose: () => undefined,
  }
  return { asked, api: machinesApi({ machines }) }
}
const { signal } = new AbortController()

describe('an operation at another machine', () => {
  it('goes there by its name, with its input as its own declaration reads it', async () => {
    const { asked, api } = source()
    const input = { session: 's', text: 'go on', more: 'dropped' }
    expect(await api.callThere({ machine: 'box', operation: 'say', input })).toBe('done there')
    await api.callThere({ machine: 'box', operation: 'sessions', input: undefined })
    for await (const chunk of api.followThere({ machine: 'box', operation: 'watchTerminal', input: 't' }, signal))
      expect(chunk).toBe('first')
    expect(asked).toEqual([
      { machine: 'box', operation: 'say', kind: 'mutation', input: { session: 's', text: 'go on' } },
      { machine: 'box', operation: 'sessions', kind: 'query', input: undefined },
      { machine: 'box', operation: 'watchTerminal', input: 't' },
    ])
  })

  it.each([
    ['say', { session: 's' }, 'operation-input'],
    ['nothing', null, 'operation-unknown'],
    ['__proto__', null, 'operation-unknown'],
    // a subscription is no call
    ['follow', undefined, 'operation-unknown'],
    // from there to a third machine
    ['callThere', { machine: 'c', operation: 'say', input: {} }, 'operation-unknown'],
    ['addMachine', { name: 'c', target: 'c', program: null }, 'operation-unknown'],
  ])('%s with %j is refused here', async (operation, input, code) => {
    const { asked, api } = source()
    await expect(api.callThere({ machine: 'box', operation, input })).rejects.toMatchObject({ code })
    expect(asked).toEqual([])
  })

  it('is refused where there are no machines', async () => {
    const api = machinesApi({})
    expect(await api.machines()).toEqual([])
    const refused = { code: 'machines-none' }
    await expect(api.callThere({ machine: 'box', operation: 'status', input: undefined })).rejects.toMatchObject(
      refused,
    )
    await expect(api.addMachine({ name: 'b', target: 'b', program: null })).rejects.toMatchObject(refused)
  })
})
