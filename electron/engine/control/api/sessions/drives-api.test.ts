import { describe, expect, it } from 'vitest'
import type { OwnDrive } from '../../../../../shared/drives.ts'
import { OnwardError } from '../../../base/errors.ts'
import { sampleSession } from '../../testing/fake-control-api.ts'
import { drivesApi, type DrivesApiDeps } from './drives-api.ts'

const facts = { since: 0, seen: 0, version: null, turns: 0, tokens: 0, costUsd: null, source: 'x' }
const goal = (state: OwnDrive['state']): OwnDrive => ({ ...facts, id: 'goal', kind: 'goal', what: 'all green', state })
const shell = (id: string, state: OwnDrive['state']): OwnDrive => ({ ...facts, id, kind: 'command', what: id, state })
const on = { is: 'on' } as const
const stopping = (entry: string) => ({ is: 'stopping', at: 0, entry }) as const

/** An agent that Onward can reach in its store or not; its queue has or has not sent what waits there. */
function setUp(drives: readonly OwnDrive[], { pauses = false, sent = false } = {}) {
  const done: unknown[] = []
  const outbox = {
    add: async ({ text }: { text: string }) => {
      done.push(['add', text])
      return { id: `e${done.length}` }
    },
    cancel: async (id: string) => {
      if (sent) throw new OnwardError('entry-under-way', 'It is being typed.', { status: 409 })
      done.push(['cancel', id])
    },
  }
  const deps = {
    find: async () => ({ id: 's1' }),
    targetOf: async () => ({ scope: () => 'pty:1' }),
    view: () => sampleSession({ client: 'codex', drives }),
    sessions: { flush: async () => void done.push(['flush']) },
    outboxes: { of: async () => outbox, holding: () => outbox },
    drives: {
      stop: () => drives,
      told: (_: string, ids: readonly string[], entry: string | null) => void done.push(['told', ids, entry]),
      letGoOn: (_: string, drive: string | null, untold?: boolean) => void done.push(['let', drive, untold]),
      bound: (_: string, drive: string, limits: unknown) => void done.push(['bound', drive, limits]),
    },
    pauseGoal: async () => {
      if (pauses) done.push(['pause'])
      return pauses
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of outboxes, these alone are asked for
  } as unknown as DrivesApiDeps
  return { api: drivesApi(deps), done }
}

describe('what a person stops', () => {
  it('is paused where the agent keeps its goal, and nothing is typed', async () => {
    const { api, done } = setUp([goal(on)], { pauses: true })
    await api.stopDrive({ session: 's1', drive: 'goal' })
    expect(done).toEqual([['pause'], ['told', ['goal'], null], ['flush']])
  })

  it('is told to the agent where that can’t be done: a goal by its command, work in words', async () => {
    const { api, done } = setUp([goal(on), shell('b1', on)])
    await api.stopDrive({ session: 's1', drive: null })
    expect(done).toEqual([
      ['add', '/goal clear'],
      ['told', ['goal'], 'e1'],
      ['add', expect.stringContaining('Stop the background command “b1” (b1).')],
      ['told', ['b1'], 'e3'],
      ['flush'],
    ])
  })
})

describe('what a person lets go on', () => {
  it('is not stopped any more: the text that waits is taken back, and what else it told is told again', async () => {
    const { api, done } = setUp([shell('b1', stopping('e7')), shell('b2', stopping('e7'))])
    await api.letDrives({ session: 's1', drive: 'b1' })
    expect(done.slice(0, 2)).toEqual([
      ['cancel', 'e7'],
      ['let', 'b1', true],
    ])
    expect(done[2]).toEqual(['add', expect.stringContaining('“b2”')])
  })

  it('may have been told to the agent', async () => {
    const { api, done } = setUp([shell('b1', stopping('e7'))], { sent: true })
    await api.letDrives({ session: 's1', drive: 'b1' })
    expect(done).toEqual([['let', 'b1', false], ['flush']])
  })

  it('is a paused goal: its agent takes it up again by its command', async () => {
    const { api, done } = setUp([goal({ is: 'stopped', at: 0, how: 'paused' })])
    await api.letDrives({ session: 's1', drive: 'goal' })
    expect(done).toEqual([['add', '/goal resume'], ['let', 'goal', true], ['flush']])
  })
})

describe('a bound', () => {
  const limits = { rounds: 5, hours: null, tokens: null, costUsd: null }
  const from = { since: 0, turns: 0, tokens: 0, costUsd: null }

  it('keeps what is left out, and is none where nothing is left', async () => {
    const { api, done } = setUp([{ ...goal(on), bound: { ...limits, from, asked: null } }])
    await api.boundDrive({ session: 's1', drive: 'goal', costUsd: 2 })
    await api.boundDrive({ session: 's1', drive: 'goal', rounds: null })
    expect(done.filter((one) => Array.isArray(one) && one[0] === 'bound')).toEqual([
      ['bound', 'goal', { ...limits, costUsd: 2 }],
      ['bound', 'goal', null],
    ])
  })
})
