import { describe, expect, it } from 'vitest'
import { parseSession } from '../../../sessions/session-state.ts'
import { terminalShape } from '../../../sessions/binding/terminal.ts'
import { findSession } from './find-session.ts'

const session = (id: string, name = '') => parseSession({ id, name, client: 'codex', startedAt: 1, lastActivityAt: 1 })
const terminal = (terminalId: string, scope: string, sessionId: string) =>
  terminalShape.parse({
    terminalId,
    scope,
    kind: 'tmux',
    home: 'pane',
    origin: 'launched',
    client: 'codex',
    name: '',
    cwd: null,
    command: 'codex',
    keyHash: null,
    pane: null,
    hostId: null,
    daemonId: null,
    agentPid: null,
    openedAt: 1,
    endedAt: null,
    exitCode: null,
    sessionId,
    conversation: null,
    heir: null,
    cleanedAt: null,
  })
const sessions = [session('019f-aaaa-1', 'billing'), session('019f-bbbb-2', 'docs'), session('019f-bbbb-3', 'docs')]
const terminals = [terminal('t1', 'tmux:work', '019f-aaaa-1')]

describe('findSession', () => {
  it.each([['019f-aaaa-1'], ['019f-a'], ['billing'], ['t1'], ['tmux:work']])('finds it by %s', (wanted) => {
    expect(findSession(wanted, sessions, terminals).id).toBe('019f-aaaa-1')
  })
  it.each([['docs'], ['019f-b']])('does not guess between several: %s', (wanted) => {
    expect(() => findSession(wanted, sessions, terminals)).toThrow(/could be/)
  })
  it('tells those it could be apart', () => {
    const codex = [
      session('01a206f9-4dc6-7220-9ff4-9ba561afd5d8', 'work'),
      session('01a206f9-514a-70d3-b8b1-ac2808c2824c', 'work'),
    ]
    expect(() => findSession('work', codex, [])).toThrow('work (01a206f9-4dc6), work (01a206f9-514a)')
  })
  it.each([['nothing'], ['019'], ['']])('says so when there is none: %s', (wanted) => {
    expect(() => findSession(wanted, sessions, terminals)).toThrow(/is known/)
  })
})
