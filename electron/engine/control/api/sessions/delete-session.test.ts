import { expect, it } from 'vitest'
import type { SessionView } from '../../../../../shared/state.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'
import { deleteSession } from './delete-session.ts'

const terminal = (scope: string, sessionId: string | null) => ({ scope, sessionId }) as Terminal
const asked = async (view: Partial<SessionView>) => {
  const deleted: unknown[] = []
  await deleteSession(
    {
      view: (id) => ({ id, name: 'api', shape: 'idle', say: { code: 'idle' }, queue: [], ...view }) as SessionView,
      terminals: () => [terminal('tmux:a', 's1'), terminal('tmux:b', 's2'), terminal('pty:c', null)],
      deletions: { delete: async (session) => void deleted.push(session) },
    },
    's1',
  )
  return deleted
}

it('takes the goal along only of terminals whose conversation it is', async () => {
  expect(await asked({})).toEqual([{ id: 's1', scopes: ['tmux:a', 'session:s1'] }])
})

it.each<[Partial<SessionView>, string]>([
  [{ queue: [{ id: 'e1' }] as never }, 'session-queued'],
  [{ shape: 'working' }, 'session-working'],
  [{ say: { code: 'needs-you', what: 'permission' } }, 'session-working'],
  [{ say: { code: 'reviewing', round: 1, since: 0 } }, 'session-working'],
  [
    { say: { code: 'retrying', provider: null, status: 503, message: '', tries: 2, since: 0, tried: [] } },
    'session-working',
  ],
])('is refused in words for %j with %s', async (view, code) => {
  await expect(asked(view)).rejects.toMatchObject({ code, message: expect.stringContaining('api') })
})

it.each<Partial<SessionView>>([
  { say: { code: 'gone' } },
  { say: { code: 'left' } },
  { say: { code: 'armed' } },
  { say: { code: 'turn-failed', provider: null, status: 500, message: '', since: 0, tries: 1, tried: [] } },
])('is done for %j', async (view) => {
  expect(await asked(view)).toHaveLength(1)
})
