import { describe, expect, it } from 'vitest'
import type { MachineUpdate, MachineView } from '../../../shared/machines.ts'
import type { MachineSource } from '../machine-source.ts'
import { allMachines } from './machines.ts'

function source(what: string, ...names: readonly string[]) {
  let tell: (update: MachineUpdate) => void = () => undefined
  const views = (): MachineView[] =>
    names.map((name) => ({ name, target: what, state: { kind: 'there', since: 1, version: '1' }, sessions: [] }))
  const made: MachineSource = {
    look: async () => undefined,
    now: views,
    list: async () => views(),
    watch(told) {
      tell = told
      return { dispose: () => undefined }
    },
    call: async () => what,
    async *follow() {
      yield what
    },
    dispose: () => undefined,
  }
  return { made, tell: (update: MachineUpdate) => tell(update) }
}
const call = (machine: string) => ({ machine, operation: 'status', kind: 'query', input: undefined }) as const

describe('machines that were added and the engines of a fleet', () => {
  it('are one list, in which a name of both is the added one', async () => {
    const [added, fleet] = [source('ssh', 'box', 'gpu'), source('hub', 'gpu', 'cpu')]
    const all = allMachines(added.made, fleet.made)
    const seen = [
      ['box', 'ssh'],
      ['cpu', 'hub'],
      ['gpu', 'ssh'],
    ]
    for (const list of [all.now(), await all.list()])
      expect(list.map(({ name, target }) => [name, target])).toEqual(seen)
    expect(await Promise.all(['box', 'cpu', 'gpu', 'none'].map((name) => all.call(call(name))))).toEqual([
      'ssh',
      'hub',
      'ssh',
      'ssh',
    ])
    const told: MachineUpdate[] = []
    all.watch((update) => update.type !== 'machine-notice' && told.push(update))
    for (const machine of ['gpu', 'cpu']) fleet.tell({ type: 'machine-session-removed', machine, id: 's' })
    expect(told).toEqual([{ type: 'machine-session-removed', machine: 'cpu', id: 's' }])
    // the other one comes out from under it
    added.tell({ type: 'machine-removed', machine: 'gpu' })
    expect(told.slice(1)).toMatchObject([{ type: 'machine-removed' }, { type: 'machine', machine: { target: 'hub' } }])
  })
})
