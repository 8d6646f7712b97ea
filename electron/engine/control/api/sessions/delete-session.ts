import type { SessionView } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Deletions } from '../../../sessions/deletions.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'

export interface DeleteSessionDeps {
  view(id: string): SessionView
  terminals(): readonly Terminal[]
  deletions: Pick<Deletions, 'delete'>
}

/** Refuses while anything of the session is under way: its result would appear there again, or be lost. */
export async function deleteSession({ view, terminals, deletions }: DeleteSessionDeps, id: string): Promise<void> {
  const { name, shape, say, queue } = view(id)
  if (queue.length > 0)
    throw new OnwardError(
      'session-queued',
      `Something is queued for ${name}. Wait until it has arrived, or drop it, and delete the session then.`,
      { status: 409 },
    )
  if (works.has(say.code) || shape === 'working')
    throw new OnwardError(
      'session-working',
      `${name} works right now. Wait until it stops, or end it, and delete it then.`,
      { status: 409 },
    )
  // A scope is the terminal's: its goal goes only with the conversation it is for.
  const own = terminals().filter(({ sessionId }) => sessionId === id)
  await deletions.delete({ id, scopes: [...own.map(({ scope }) => scope), `session:${id}`] })
}

const works: ReadonlySet<SessionView['say']['code']> = new Set([
  'working',
  'needs-you',
  'held',
  'queued',
  'awaiting-receipt',
  'reviewing',
  'retrying',
  'stalled',
])
