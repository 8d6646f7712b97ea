import { describe, expect, it } from 'vitest'
import type { Peer } from '../../sessions/binding/peer.ts'
import { pty, registryOn, machine, tmuxPane } from '../../sessions/testing/machine.ts'
import { agentProcesses } from './agent-process.ts'
import type { ProcessFact, ProcReader } from './proc-reader.ts'

/** A pane whose first process, 100, leads its session, and what runs in it. */
const scene = async (...running: readonly (Partial<ProcessFact> & { pid: number })[]) => {
  const { terminals } = await registryOn(machine())
  const { terminal } = await terminals.register(tmuxPane('main', '%1'))
  const processes = new Map(
    running.map((one): [number, ProcessFact] => [
      one.pid,
      { pgid: 100, tpgid: 100, name: 'codex', argv: ['codex'], ...one },
    ]),
  )
  const reader: ProcReader = { process: async (pid) => processes.get(pid) ?? null, group: async () => [] }
  return { terminals, terminal, processes, reader, programOf: agentProcesses(reader) }
}
const peer = (pid: number, more: Partial<Peer> = {}): Peer => ({
  pid,
  uid: 1000,
  tty: '/dev/pts/1',
  cwd: null,
  session: 100,
  startedAt: pid,
  ...more,
})

describe('the process that calls for a terminal', () => {
  it('is the agent in the session of the terminal, below any launcher', async () => {
    const { terminal, programOf } = await scene({ pid: 7 })
    expect(await programOf(terminal, peer(7))).toBe('agent')
    expect(await programOf(terminal, peer(7))).toBe('agent')
  })
  it('is another program in a session of its own, as all tools are, the agent itself included', async () => {
    const { terminal, programOf } = await scene({ pid: 7 }, { pid: 8, pgid: 8 })
    expect(await programOf(terminal, peer(8, { session: 8, tty: null }))).toBe('other')
    expect(await programOf(terminal, peer(8, { session: 9, tty: '/dev/pts/9' }))).toBe('other')
  })
  it('is another program in the same session by its name, and by the agent that called before it', async () => {
    const { terminal, processes, programOf } = await scene(
      { pid: 7 },
      { pid: 8, name: 'python3', argv: ['python3', 'codex.py'] },
      { pid: 9 },
    )
    expect(await programOf(terminal, peer(8))).toBe('other')
    expect(await programOf(terminal, peer(7))).toBe('agent')
    expect(await programOf(terminal, peer(9))).toBe('other')
    processes.delete(7)
    expect(await programOf(terminal, peer(9))).toBe('agent')
  })
  it('is the agent again when it is started again, and not by a number that was given again', async () => {
    const { terminal, processes, programOf } = await scene({ pid: 7 }, { pid: 9, pgid: 9 })
    expect(await programOf(terminal, peer(7))).toBe('agent')
    expect(await programOf(terminal, peer(9))).toBe('agent')
    processes.set(9, { pid: 9, pgid: 9, tpgid: 9, name: 'curl', argv: ['curl'] })
    expect(await programOf(terminal, peer(9, { startedAt: 99 }))).toBe('other')
  })
  it('is untold where the system says nothing, and of a terminal whose process is not known', async () => {
    const { terminal, terminals, programOf } = await scene({ pid: 7 })
    expect(await programOf(terminal, null)).toBe('untold')
    expect(await agentProcesses(null)(terminal, peer(7))).toBe('untold')
    const wrapped = await terminals.register(pty({ client: 'codex' }))
    expect(await programOf(wrapped.terminal, peer(7))).toBe('untold')
    terminals.describe(wrapped.terminal.terminalId, { agentPid: 100 })
    expect(await programOf(terminals.get(wrapped.terminal.terminalId) ?? wrapped.terminal, peer(7))).toBe('agent')
  })
  it('is the agent in each run of one without a screen, and not what its tools start', async () => {
    const claude = { name: 'claude', argv: ['claude', '-p'] }
    const { terminals, programOf } = await scene(
      { pid: 20, name: 'node', argv: ['node', 'onward'] },
      { ...claude, pid: 30, ppid: 20, pgid: 30 },
      { ...claude, pid: 40, ppid: 20, pgid: 40 },
      { pid: 41, ppid: 40, pgid: 41, name: 'bash', argv: ['bash', '-c', 'claude -p'] },
      { ...claude, pid: 42, ppid: 41, pgid: 41 },
    )
    const { terminal } = await terminals.register(pty({ agentPid: 20, headless: true }))
    const of = (pid: number, session: number | null) => programOf(terminal, peer(pid, { session, tty: null }))
    expect([await of(30, 30), await of(40, 40), await of(42, 41), await of(42, null)]).toEqual([
      'agent',
      'agent',
      'other',
      'other',
    ])
    const seen = await terminals.register(pty({ agentPid: 20 }))
    expect(await programOf(seen.terminal, peer(40, { session: 40 }))).toBe('other')
  })
  it('is the agent’s daemon where nothing but the agent stands between them, and no tool is', async () => {
    const claude = { name: 'claude', pgid: 8, argv: ['claude', 'bg-spare'] }
    const { terminals, programOf } = await scene(
      { ...claude, pid: 50, ppid: 7, argv: ['/bin/claude', 'daemon', 'run', '--origin', 'transient'] },
      { ...claude, pid: 51, ppid: 50, argv: ['claude', 'bg-pty-host'] },
      { ...claude, pid: 52, ppid: 51 },
      { ...claude, pid: 53, ppid: 52, name: 'bash', argv: ['bash', '-c', 'claude'] },
      { ...claude, pid: 54, ppid: 53 },
      { ...claude, pid: 55, ppid: 1 },
    )
    const { terminal } = await terminals.register(tmuxPane('b', '%2', { client: 'claude', command: 'claude' }))
    const of = (pid: number) => programOf(terminal, peer(pid, { session: pid }))
    expect(await Promise.all([52, 53, 54, 55].map(of))).toEqual(['daemon', 'other', 'other', 'other'])
  })
  it('of a program that is not known by name is the first one that called', async () => {
    const { terminals, programOf } = await scene({ pid: 7, name: 'mine', argv: ['mine'] }, { pid: 8, name: 'curl' })
    const { terminal } = await terminals.register(tmuxPane('b', '%2', { client: 'other', command: 'mine' }))
    expect(await programOf(terminal, peer(7))).toBe('agent')
    expect(await programOf(terminal, peer(8))).toBe('other')
  })
})
