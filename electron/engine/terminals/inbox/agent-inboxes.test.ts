import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import { createAgentInboxes } from './agent-inboxes.ts'
import type { AgentInbox } from './codex-queue.ts'

const file = '/usr/lib/codex/codex'
/** A script of Node that leads the group, and the program it started. */
const reader: ProcReader = {
  process: async (pid) => ({ pid, pgid: 10, tpgid: 10, name: 'bash', argv: ['bash'] }),
  group: async () => [
    { pid: 10, pgid: 10, tpgid: 10, name: 'node', argv: ['node', '/x/node_modules/@openai/codex/bin/codex.js'] },
    { pid: 11, pgid: 10, tpgid: 10, name: 'codex', argv: [file] },
  ],
  program: async (pid) => ({ file: pid === 10 ? '/usr/bin/node' : file, env: { CODEX_HOME: '/home/ada/.codex' } }),
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a terminal, these alone are asked for
const terminal = (client: Terminal['client'] = 'codex') =>
  ({ terminalId: 't1', client, pane: null, agentPid: 9 }) as unknown as Terminal

function inboxesOf(over: { version?: string | null; reader?: ProcReader | null } = {}) {
  const clock = virtualClock()
  const opened: string[] = []
  const found: string[] = []
  const state = { fails: false, disposed: 0 }
  const inboxes = createAgentInboxes({
    clock,
    reader: over.reader === undefined ? reader : over.reader,
    async open(program): Promise<AgentInbox> {
      opened.push(program.file)
      if (state.fails) throw new Error('its app-server ended (1)')
      return {
        version: over.version === undefined ? '0.171.0' : over.version,
        ended: () => false,
        put: async () => undefined,
        takeOut: async () => false,
        pauseGoal: async () => true,
        dispose: () => void state.disposed++,
      }
    },
    onFound: (id) => found.push(id),
  })
  return { clock, opened, found, state, inboxes }
}

describe('the inbox of the agent in a terminal', () => {
  it('is reached by the very program that runs there, once for many texts', async () => {
    const t = inboxesOf()
    expect(await t.inboxes.of(terminal())).toMatchObject({ kind: 'inbox' })
    expect(await t.inboxes.of(terminal())).toMatchObject({ kind: 'inbox' })
    expect(t.opened).toEqual([file])
    expect(t.found).toEqual(['t1'])
    expect(t.inboxes.found('t1')).toMatchObject({ kind: 'inbox' })
  })

  it.each([
    ['an agent without one', { client: 'claude' }, { code: 'none' }],
    ['another version', { version: '0.172.0' }, { code: 'version', version: '0.172.0' }],
    ['no version told', { version: null }, { code: 'version', version: null }],
    ['a system that tells no programs', { reader: { ...reader, program: undefined } }, { code: 'program-unknown' }],
    ['a program of another name', { reader: { ...reader, group: async () => [] } }, { code: 'program-unknown' }],
    ['no way to ask', { reader: null }, { code: 'program-unknown' }],
  ] as const)(
    'is not used without proof: %s',
    async (_, { client = 'codex', ...over }: never | (object & Record<string, unknown>), why) => {
      const t = inboxesOf(over)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of the table
      expect(await t.inboxes.of(terminal(client as Terminal['client']))).toEqual({ kind: 'typing', why })
    },
  )

  it('is away while its program does not start, and asked again after a while that grows', async () => {
    const t = inboxesOf()
    t.state.fails = true
    const away = { kind: 'away', why: 'its app-server ended (1)' }
    expect(await t.inboxes.of(terminal())).toEqual(away)
    expect(await t.inboxes.of(terminal())).toEqual(away)
    expect(t.opened).toHaveLength(1)
    await t.clock.advance(10_000)
    expect(await t.inboxes.of(terminal())).toEqual(away)
    await t.clock.advance(10_000)
    expect(await t.inboxes.of(terminal())).toEqual(away)
    expect(t.opened).toHaveLength(2)
    await t.clock.advance(10_000)
    t.state.fails = false
    expect(await t.inboxes.of(terminal())).toMatchObject({ kind: 'inbox' })
  })

  it('is away where the system can’t be asked', async () => {
    const group = async () => Promise.reject(new Error('EMFILE: too many open files'))
    expect(await inboxesOf({ reader: { ...reader, group } }).inboxes.of(terminal())).toEqual({
      kind: 'away',
      why: 'EMFILE: too many open files',
    })
  })

  it('has no program that runs for nothing', async () => {
    const t = inboxesOf()
    await t.inboxes.of(terminal())
    await t.clock.advance(60_000)
    expect(t.state.disposed).toBe(1)
    await t.inboxes.of(terminal())
    expect(t.opened).toHaveLength(2)
    t.inboxes.dispose()
    expect(t.state.disposed).toBe(2)
  })
})
