import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import { silentLog } from '../../base/log.ts'
import { machine, pty, registryOn, tmuxPane } from '../testing/machine.ts'
import { decideRebinding, orphanWait, startRebinder } from './rebinder.ts'
import type { Terminal } from './terminal.ts'

const base: Terminal = {
  terminalId: 'x',
  scope: 'tmux:x',
  kind: 'tmux',
  home: 'pane',
  origin: 'launched',
  client: 'claude',
  name: 'x',
  cwd: '/p',
  command: 'claude',
  keyHash: null,
  pane: null,
  hostId: null,
  daemonId: null,
  agentPid: null,
  openedAt: 1,
  endedAt: null,
  exitCode: null,
  sessionId: 's1',
  conversation: null,
  heir: null,
  cleanedAt: null,
}
const old = (more: Partial<Terminal> = {}): Terminal => ({ ...base, terminalId: 'old', scope: 'tmux:old', ...more })
const fresh = (more: Partial<Terminal> = {}): Terminal => ({
  ...base,
  terminalId: 'new',
  scope: 'tmux:new',
  openedAt: 2,
  ...more,
})
const ended = { endedAt: 5 }
const alive = (terminal: Terminal) => terminal.endedAt === null

describe('decideRebinding', () => {
  it.each<[string, Partial<Terminal>, Partial<Terminal>, string]>([
    ['same conversation, old one dead', ended, {}, 'move'],
    ['same conversation, old one alive', {}, {}, 'wait'],
    ['same daemon, old one alive', { daemonId: 'd', sessionId: 'a' }, { daemonId: 'd', sessionId: null }, 'move'],
    ['same daemon, old one dead', { daemonId: 'd', ...ended }, { daemonId: 'd', sessionId: null, cwd: '/q' }, 'move'],
    ['another daemon and conversation', { daemonId: 'd', ...ended }, { daemonId: 'e', sessionId: 's2' }, 'none'],
    ['another conversation', ended, { sessionId: 's2' }, 'none'],
    ['no conversation yet', ended, { sessionId: null }, 'none'],
    ['another folder', ended, { cwd: '/q' }, 'none'],
    ['folders unknown', { cwd: null, ...ended }, { cwd: null }, 'none'],
    ['another client', ended, { client: 'codex' }, 'none'],
    ['programs, not agents', { client: 'other', ...ended }, { client: 'other' }, 'none'],
    [
      'a conversation that only its terminal names',
      { sessionId: 'tmux:old#1', ...ended },
      { sessionId: 'tmux:old#1' },
      'none',
    ],
    ['taken over by another', { heir: 'y', ...ended }, {}, 'none'],
    ['cleaned', { cleanedAt: 9, ...ended }, {}, 'none'],
    ['the other one is newer', { openedAt: 3, ...ended }, {}, 'none'],
    ['the new one has ended too', ended, ended, 'none'],
  ])('%s: %s', (_, one, other, kind) => {
    const [from, to] = [old(one), fresh(other)]
    expect(decideRebinding(to, [from, to], alive)).toMatchObject(kind === 'none' ? { kind } : { kind, from, to })
  })

  it('takes the newest of several', () => {
    const [first, second, to] = [old({ terminalId: 'a', ...ended }), old({ terminalId: 'b', ...ended }), fresh()]
    expect(decideRebinding(to, [first, second, to], alive)).toMatchObject({ from: second })
  })
})

async function rebinding() {
  const on = machine()
  const inUse = new Set<string>()
  const { terminals, dead } = await registryOn(on)
  terminals.keepScopes((scope) => inUse.has(scope))
  const did: string[] = []
  const events: EventBody[] = []
  const effects = {
    async move(from: string, to: string) {
      did.push(`${from} -> ${to}`)
      const had = inUse.delete(from)
      if (had) inUse.add(to)
      return had
    },
    async clean(scope: string) {
      did.push(`clean ${scope}`)
      inUse.delete(scope)
    },
  }
  const start = (over = terminals) =>
    startRebinder({
      terminals: over,
      clock: on.clock,
      log: silentLog,
      record: (_, body) => {
        events.push(body)
      },
      effects,
    })
  return { on, terminals, dead, inUse, did, events, effects, start }
}

describe('startRebinder', () => {
  it('moves state to the restarted client in a new tmux session, once its conversation shows', async () => {
    const { terminals, inUse, did, events, start } = await rebinding()
    const rebinder = start()
    const before = (await terminals.register(tmuxPane('one', '%1'))).terminal
    terminals.setSession(before.terminalId, 's1')
    inUse.add(before.scope)
    await terminals.end(before.terminalId, 0, 'exit')
    const after = (await terminals.register(tmuxPane('two', '%2'))).terminal
    await rebinder.idle()
    expect(did).toEqual([])
    terminals.setSession(after.terminalId, 's1')
    await rebinder.idle()
    expect(did).toEqual(['tmux:one -> tmux:two'])
    expect(events).toEqual([{ type: 'rebound', from: 'tmux:one', to: 'tmux:two' }])
    expect(terminals.get(before.terminalId)?.heir).toBe(after.terminalId)
    expect(terminals.holderOf(before.terminalId)?.terminalId).toBe(after.terminalId)
    expect(terminals.holderOf(after.terminalId)?.terminalId).toBe(after.terminalId)
    terminals.setSession(after.terminalId, 's2')
    terminals.setSession(after.terminalId, 's1')
    await rebinder.idle()
    expect(did).toHaveLength(1)
    rebinder.dispose()
  })

  it('moves it when the old terminal dies later', async () => {
    const { terminals, inUse, did, start } = await rebinding()
    const rebinder = start()
    const before = (await terminals.register(pty())).terminal
    const after = (await terminals.register(pty())).terminal
    for (const one of [before, after]) terminals.setSession(one.terminalId, 's1')
    inUse.add(before.scope)
    await rebinder.idle()
    expect(did).toEqual([])
    await terminals.end(before.terminalId, null, 'killed')
    await rebinder.idle()
    expect(did).toEqual([`${before.scope} -> ${after.scope}`])
    rebinder.dispose()
  })

  it('cleans what nobody took over after ten minutes, and not what was taken over', async () => {
    const { on, terminals, inUse, did, start } = await rebinding()
    const rebinder = start()
    const lonely = (await terminals.register(pty())).terminal
    const left = (await terminals.register(pty({ daemonId: 'd' }))).terminal
    inUse.add(lonely.scope).add(left.scope)
    await terminals.end(lonely.terminalId, 0, 'exit')
    await terminals.end(left.terminalId, 0, 'exit')
    await terminals.register(pty({ daemonId: 'd' }))
    await rebinder.idle()
    did.length = 0
    await on.clock.advance(orphanWait - 1)
    await rebinder.idle()
    expect(did).toEqual([])
    await on.clock.advance(1)
    await rebinder.idle()
    expect(did).toEqual([`clean ${lonely.scope}`])
    expect(terminals.get(lonely.terminalId)?.cleanedAt).toBe(on.clock.now())
    await on.clock.advance(orphanWait)
    await rebinder.idle()
    expect(did).toHaveLength(1)
    rebinder.dispose()
  })

  it('does not clean a scope that a later terminal was given', async () => {
    const { on, terminals, did, start } = await rebinding()
    const rebinder = start()
    const first = (await terminals.register(tmuxPane('main', '%1'))).terminal
    await terminals.end(first.terminalId, 0, 'exit')
    const second = (await terminals.register(tmuxPane('main', '%1', { client: 'claude' }))).terminal
    expect(second.scope).toBe(first.scope)
    await on.clock.advance(orphanWait)
    await rebinder.idle()
    expect(did).toEqual([])
    rebinder.dispose()
  })

  it('finishes at the next start what a crash interrupted, and counts the wait from the death', async () => {
    const { on, terminals, inUse, did, effects, start } = await rebinding()
    const before = (await terminals.register(pty({ daemonId: 'd' }))).terminal
    const lonely = (await terminals.register(pty({ client: 'codex' }))).terminal
    inUse.add(before.scope).add(lonely.scope)
    await terminals.end(before.terminalId, 0, 'exit')
    await terminals.end(lonely.terminalId, 0, 'exit')
    const after = (await terminals.register(pty({ daemonId: 'd' }))).terminal
    // the crash: moved, but not yet noted
    await effects.move(before.scope, after.scope)
    await on.clock.advance(orphanWait - 1000)
    const later = await registryOn({ ...on, store: on.newStore() })
    const rebinder = start(later.terminals)
    await rebinder.idle()
    expect(did).toEqual([`${before.scope} -> ${after.scope}`, `${before.scope} -> ${after.scope}`])
    expect(later.terminals.get(before.terminalId)?.heir).toBe(after.terminalId)
    await on.clock.advance(1000)
    await rebinder.idle()
    expect(did.at(-1)).toBe(`clean ${lonely.scope}`)
    rebinder.dispose()
    expect(on.clock.pending()).toBe(0)
  })

  it('tries again after a failure, with the next change', async () => {
    const { on, terminals, inUse, did, start } = await rebinding()
    const rebinder = start()
    const before = (await terminals.register(pty({ daemonId: 'd' }))).terminal
    inUse.add(before.scope)
    const after = (await terminals.register(pty({ daemonId: 'd' }))).terminal
    on.files.fail('EIO', 'writeAtomic')
    await rebinder.idle()
    expect(terminals.get(before.terminalId)?.heir).toBeNull()
    on.files.mend()
    terminals.setSession(after.terminalId, 's1')
    await rebinder.idle()
    expect(terminals.get(before.terminalId)?.heir).toBe(after.terminalId)
    expect(did).toHaveLength(2)
    rebinder.dispose()
  })
})
