import { describe, expect, it } from 'vitest'
import { session } from '../testing/views.ts'
import { withMachine, type MachineFacts, type MachineUpdate, type MachineView } from '../../shared/machines.ts'

const facts = (name: string, more: Partial<MachineFacts> = {}): MachineUpdate => ({
  type: 'machine',
  machine: { name, target: name, state: { kind: 'connecting' }, ...more },
})
const has = (machine: string, id: string, name = id): MachineUpdate => ({
  type: 'machine-session',
  machine,
  session: session({ id, name }),
})
const after = (...updates: MachineUpdate[]) =>
  updates
    .reduce<readonly MachineView[]>(withMachine, [])
    .map(({ name, state, sessions }) => `${name} ${state.kind}: ${sessions.map((one) => one.name).join(' ')}`)

describe('what is known of machines', () => {
  it('changes with each update, and a state leaves the sessions as they are', () => {
    const there = { state: { kind: 'there', since: 1, version: '1' } } as const
    expect(
      after(facts('b'), facts('a'), has('b', 'x'), has('b', 'y'), has('b', 'x', 'other'), facts('b', there)),
    ).toEqual(['a connecting: ', 'b there: other y'])
    expect(after(facts('a'), has('a', 'x'), { type: 'machine-session-removed', machine: 'a', id: 'x' })).toEqual([
      'a connecting: ',
    ])
  })

  it('knows nothing of one that was taken away, nor of its sessions that come late', () => {
    expect(after(facts('a'), { type: 'machine-removed', machine: 'a' }, has('a', 'x'))).toEqual([])
  })
})
