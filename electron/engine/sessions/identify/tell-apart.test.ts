import { describe, expect, it } from 'vitest'
import { parseSession, sessionName } from '../session-state.ts'
import { nthIn } from './tell-apart.ts'

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

  it('are named by the folder, then by what the person gave', () => {
    expect(sessionName(one('a', '/p/web'))).toBe('web')
    expect(sessionName(one('b', '/p/web', 2))).toBe('web 2')
    expect(sessionName({ ...one('b', '/p/web', 2), name: 'release' })).toBe('release')
    expect(sessionName(one('01a20496-514a-70d3-b8b1-ac2808c2824c', null, 2))).toBe('01a20496-514a')
  })
})
