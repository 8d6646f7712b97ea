import { describe, expect, it } from 'vitest'
import { hashKey } from './find-terminal.ts'
import { machine, pty, registryOn, tmuxPane } from '../testing/machine.ts'
import type { TerminalChange } from './terminals-registry.ts'

describe('registering', () => {
  it('mints a key that is told once, kept as a hash, and names the terminal', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal, key } = await terminals.register(pty())
    expect(key).toMatch(/^owk_/)
    expect(terminals.byKey(key)).toBe(terminal)
    expect(terminals.byKey(`${key}x`)).toBeNull()
    expect(terminals.byKey('')).toBeNull()
    expect(terminal).toMatchObject({ scope: `pty:${terminal.terminalId}`, keyHash: hashKey(key), origin: 'launched' })
    expect([...on.disk.content.values()].join()).not.toContain(key)
  })

  it('survives the engine', async () => {
    const on = machine()
    const { terminal, key } = await (await registryOn(on)).terminals.register(tmuxPane('main', '%1'))
    const { terminals } = await registryOn({ ...on, store: on.newStore() })
    expect(terminals.byKey(key)).toEqual(terminal)
    expect(terminals.byScope('tmux:main')).toEqual(terminal)
  })

  it('fails, and knows nothing of it, when it can not be written', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal: first } = await terminals.register(tmuxPane('main', '%1'))
    const changes: TerminalChange[] = []
    terminals.onChange((change) => changes.push(change))
    on.files.fail('ENOSPC', 'writeAtomic')
    await expect(terminals.register(tmuxPane('main', '%1'))).rejects.toMatchObject({ code: 'store-failed' })
    await expect(terminals.end(first.terminalId, 0, 'exit')).rejects.toMatchObject({ code: 'store-failed' })
    expect(terminals.list()).toEqual([first])
    expect(changes).toEqual([])
  })

  it('refuses a name that is taken', async () => {
    const { terminals } = await registryOn(machine())
    await terminals.register(pty({ terminalId: 'abc' }))
    await expect(terminals.register(pty({ terminalId: 'abc' }))).rejects.toMatchObject({ code: 'terminal-exists' })
  })
})

describe('scopes', () => {
  it("gives a tmux session's first agent the bare name and others the pane id, for life", async () => {
    const { terminals } = await registryOn(machine())
    const first = (await terminals.register(tmuxPane('main', '%1'))).terminal
    const second = (await terminals.register(tmuxPane('main', '%2'))).terminal
    expect([first.scope, second.scope]).toEqual(['tmux:main', 'tmux:main:%2'])
    await terminals.end(first.terminalId, 0, 'exit')
    expect(terminals.get(second.terminalId)?.scope).toBe('tmux:main:%2')
    expect((await terminals.register(tmuxPane('main', '%3'))).terminal.scope).toBe('tmux:main')
  })

  it('does not hand a scope on while state under it waits for its heir', async () => {
    const inUse = new Set(['tmux:main', 'tmux:main:%1'])
    const { terminals } = await registryOn(machine())
    terminals.keepScopes((scope) => inUse.has(scope))
    expect((await terminals.register(tmuxPane('main', '%2'))).terminal.scope).toBe('tmux:main:%2')
    expect((await terminals.register(tmuxPane('main', '%1'))).terminal.scope).toMatch(/^tmux:main:%1@[0-9a-f]{8}$/)
  })

  it('keeps servers with the same names apart', async () => {
    const { terminals } = await registryOn(machine())
    const scopes: string[] = []
    for (const socket of ['/tmp/a', '/tmp/b', '/tmp/c']) {
      const pane = { socket, paneId: '%1', panePid: 1, tmuxSession: 'main' }
      scopes.push((await terminals.register(tmuxPane('main', '%1', { pane }))).terminal.scope)
    }
    expect(scopes[0]).toBe('tmux:main')
    expect(scopes[1]).toBe('tmux:main:%1')
    expect(scopes[2]).toMatch(/^tmux:main:%1@/)
    expect(new Set(scopes).size).toBe(3)
  })

  it('ends what was registered in a pane when another agent is started there', async () => {
    const { terminals } = await registryOn(machine())
    const ended: string[] = []
    terminals.onChange((change) => {
      if (change.type === 'ended') ended.push(change.terminal.terminalId)
    })
    const old = (await terminals.register(tmuxPane('main', '%1'))).terminal
    const fresh = (await terminals.register(tmuxPane('main', '%1', { client: 'claude' }))).terminal
    expect(ended).toEqual([old.terminalId])
    expect(fresh.scope).toBe('tmux:main')
    expect(terminals.findByPane('/tmp/tmux', '%1')).toBe(fresh)
  })
})

describe('finding', () => {
  it('takes a bare tmux session name only when exactly one agent lives there', async () => {
    const { terminals, dead } = await registryOn(machine())
    expect(terminals.findByTmux('main', null)).toMatchObject({ kind: 'refused', code: 'terminal-unknown' })
    const one = (await terminals.register(tmuxPane('main', '%1'))).terminal
    await terminals.register(tmuxPane('main-2', '%9'))
    expect(terminals.findByTmux('main', null)).toEqual({ kind: 'found', terminal: one })
    const two = (await terminals.register(tmuxPane('main', '%2'))).terminal
    expect(terminals.findByTmux('main', null)).toMatchObject({
      kind: 'refused',
      code: 'terminal-ambiguous',
      message: expect.stringContaining('%1, %2'),
    })
    expect(terminals.findByTmux('main', '%2')).toEqual({ kind: 'found', terminal: two })
    expect(terminals.findByTmux(null, '%1')).toEqual({ kind: 'found', terminal: one })
    dead.add(two.terminalId)
    expect(terminals.findByTmux('main', null)).toEqual({ kind: 'found', terminal: one })
    dead.add(one.terminalId)
    expect(terminals.findByTmux('main', null)).toMatchObject({ kind: 'refused', code: 'terminal-gone' })
  })

  it('never matches a prefix of a name', async () => {
    const { terminals } = await registryOn(machine())
    await terminals.register(tmuxPane('main-2', '%1'))
    expect(terminals.findByTmux('main', null)).toMatchObject({ kind: 'refused' })
  })

  it('finds by daemon id', async () => {
    const { terminals } = await registryOn(machine())
    const one = (await terminals.register(pty({ daemonId: 'd1' }))).terminal
    expect(terminals.findByDaemon('d1')).toEqual({ kind: 'found', terminal: one })
    expect(terminals.findByDaemon('d2')).toMatchObject({ code: 'terminal-unknown' })
    await terminals.register(pty({ daemonId: 'd1' }))
    expect(terminals.findByDaemon('d1')).toMatchObject({ code: 'terminal-ambiguous' })
  })
})

describe('adopting a hand-started terminal', () => {
  it('is the same terminal while the same agent runs in the pane', async () => {
    const { terminals, dead } = await registryOn(machine())
    const found = { ...tmuxPane('main', '%1'), agentPid: 7 }
    const one = await terminals.adopt(found)
    expect(one).toMatchObject({ origin: 'found', keyHash: null, scope: 'tmux:main' })
    expect(await terminals.adopt(found)).toBe(one)
    const next = await terminals.adopt({ ...found, agentPid: 8 })
    expect(next.terminalId).not.toBe(one.terminalId)
    dead.add(next.terminalId)
    expect((await terminals.adopt({ ...found, agentPid: 8 })).terminalId).not.toBe(next.terminalId)
  })

  it('is the launched one where that was registered first', async () => {
    const { terminals } = await registryOn(machine())
    const { terminal } = await terminals.register(tmuxPane('main', '%1'))
    expect(await terminals.adopt({ ...tmuxPane('main', '%1'), agentPid: 7 })).toBe(terminal)
  })
})

describe('what changes later', () => {
  it('keeps the current conversation at once and writes it a little later', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal } = await terminals.register(pty())
    const changes: TerminalChange[] = []
    terminals.onChange((change) => changes.push(change))
    const writes = on.files.writes.length
    terminals.setSession(terminal.terminalId, 's1')
    terminals.setSession(terminal.terminalId, 's1')
    terminals.setSession(terminal.terminalId, 's2')
    expect(terminals.get(terminal.terminalId)?.sessionId).toBe('s2')
    expect(
      changes.map((change) => change.type === 'conversation' && [change.before, change.terminal.sessionId]),
    ).toEqual([
      [null, 's1'],
      ['s1', 's2'],
    ])
    expect(on.files.writes).toHaveLength(writes)
    await on.clock.advance(1000)
    expect(on.files.writes).toHaveLength(writes + 1)
    const later = await registryOn({ ...on, store: on.newStore() })
    expect(later.terminals.get(terminal.terminalId)?.sessionId).toBe('s2')
  })

  it('writes what is noted at the end when asked to', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal } = await terminals.register(pty())
    terminals.describe(terminal.terminalId, { agentPid: 42, cwd: '/q' })
    await terminals.flush()
    const later = await registryOn({ ...on, store: on.newStore() })
    expect(later.terminals.get(terminal.terminalId)).toMatchObject({ agentPid: 42, cwd: '/q' })
    expect(on.clock.pending()).toBe(0)
  })

  it('keeps what was noted while a change could not be written', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal } = await terminals.register(pty({ name: 'old' }))
    on.files.fail('EIO', 'writeAtomic')
    const renaming = terminals.rename(terminal.terminalId, 'new')
    terminals.setSession(terminal.terminalId, 's1')
    await expect(renaming).rejects.toMatchObject({ code: 'store-failed' })
    expect(terminals.get(terminal.terminalId)).toMatchObject({ name: 'old', sessionId: 's1' })
  })

  it('is forgotten at once where there never was anything in it, also by the next engine', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal, key } = await terminals.register(pty())
    const kept = await terminals.register(pty())
    const seen: string[] = []
    terminals.onChange(({ type, terminal: { terminalId } }) => seen.push(`${type} ${terminalId}`))
    await terminals.forget(terminal.terminalId)
    expect(terminals.byKey(key)).toBeNull()
    expect(seen).toEqual([`forgotten ${terminal.terminalId}`])
    expect((await registryOn(on)).terminals.list()).toMatchObject([{ terminalId: kept.terminal.terminalId }])
    await expect(terminals.forget(terminal.terminalId)).rejects.toMatchObject({ code: 'terminal-unknown' })
  })

  it('ends once, and is forgotten a day later', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal, key } = await terminals.register(pty())
    await terminals.end(terminal.terminalId, 3, 'exit')
    await terminals.end(terminal.terminalId, 9, 'exit')
    expect(terminals.get(terminal.terminalId)).toMatchObject({ exitCode: 3, endedAt: on.clock.now() })
    expect(terminals.alive(terminals.byKey(key) ?? terminal)).toBe(false)
    await on.clock.advance(24 * 60 * 60 * 1000)
    await terminals.register(pty())
    expect(terminals.byKey(key)).toBeNull()
    await expect(terminals.rename(terminal.terminalId, 'x')).rejects.toMatchObject({ code: 'terminal-unknown' })
  })
})
