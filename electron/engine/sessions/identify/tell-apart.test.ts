import { describe, expect, it } from 'vitest'
import { parseSession, sessionName } from '../session-state.ts'
import type { Terminal } from '../binding/terminal.ts'
import { nameAhead, namedAhead, nthIn } from './tell-apart.ts'

const DAY = 86_400_000
const now = 100 * DAY
const one = (id: string, cwd: string | null, nth = 1, lastActivityAt = now) =>
  parseSession({ id, cwd, nth, client: 'claude', startedAt: 1, lastActivityAt })

describe('sessions of one folder', () => {
  it.each<[string, number, Parameters<typeof nthIn>[2]]>([
    ['the first', 1, []],
    ['beside one', 2, [one('a', '/p/web')]],
    ['beside one in a folder of the same name', 2, [one('a', '/q/web/')]],
    ['beside other folders', 1, [one('a', '/p/api'), one('b', null)]],
    ['where one went', 2, [one('a', '/p/web'), one('c', '/p/web', 3)]],
    ['itself is no other', 1, [one('me', '/p/web', 4)]],
    ['beside one of last month', 1, [one('a', '/p/web', 1, now - 30 * DAY)]],
  ])('%s: %i', (_what, nth, others) => expect(nthIn('/p/web', 'me', others, now)).toBe(nth))

  it('have the names of their terminals before their first turn, which no other gets meanwhile', () => {
    const terminal = (terminalId: string, name: string, over: Partial<Terminal> = {}) =>
      ({ terminalId, name, cwd: '/p/web', sessionId: null, endedAt: null, ...over }) as Terminal
    const fresh = [terminal('t1', 'web 2'), terminal('t2', 'web 3'), terminal('t3', 'api', { named: true })]
    const ahead = namedAhead([...fresh, terminal('t4', 'web 4', { endedAt: 1 })], null, now)
    expect(nameAhead('/p/web', [one('a', '/p/web'), ...ahead], now)).toBe('web 4')
    expect(nameAhead('/p/web', [], now)).toBe('web')
    expect(nameAhead('/', [], now)).toBeNull()
    const second = namedAhead(fresh, 't2', now)
    expect(nthIn('/p/web', 's', [one('a', '/p/web'), ...second], now)).toBe(3)
  })

  it('are named by the folder, then by what the person gave', () => {
    expect(sessionName(one('a', '/p/web'))).toBe('web')
    expect(sessionName(one('b', '/p/web', 2))).toBe('web 2')
    expect(sessionName({ ...one('b', '/p/web', 2), name: 'release' })).toBe('release')
    expect(sessionName(one('01a20496-514a-70d3-b8b1-ac2808c2824c', null, 2))).toBe('01a20496-514a')
  })
})
