import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { TypeControl, TypeResult, TypingTarget } from '../types.ts'
import { RequestFailed } from './app-server.ts'
import type { AgentInbox } from './codex-queue.ts'

/** The part of a typing target that an inbox takes over. */
export type InboxTarget = Pick<TypingTarget, 'type' | 'pressOwedEnter' | 'takeOut'>

/** An agent at rest takes a message within 10 s; one that is not taken by then is taken back. */
export const TAKEN_MS = 30_000

/** The inbox for one conversation. A text that can be taken out again was not delivered: that alone frees it. */
export function inboxTarget(
  inbox: AgentInbox,
  thread: string,
  { clock, away }: { clock: Clock; away(why: string): void },
): InboxTarget {
  const held = (why: string): TypeResult => {
    away(why)
    return { kind: 'held', reason: { code: 'inbox-away', why } }
  }
  /** waits until the agent has taken it; where it must not any more, or does not, it is taken out */
  const taken = async (entryId: string, { requestArrived, stop }: TypeControl): Promise<TypeResult> => {
    const why = await new Promise<'arrived' | 'stopped' | 'late'>((resolve) => {
      const timer = clock.after(TAKEN_MS, () => resolve('late'))
      const arrived = () => {
        timer.dispose()
        resolve('arrived')
      }
      const stopped = () => {
        timer.dispose()
        resolve('stopped')
      }
      if (requestArrived.aborted) return arrived()
      if (stop.aborted) return stopped()
      requestArrived.addEventListener('abort', arrived, { once: true })
      stop.addEventListener('abort', stopped, { once: true })
    })
    if (why === 'arrived') return { kind: 'submitted', extraEnter: false }
    try {
      if (!(await inbox.takeOut(thread, entryId))) return { kind: 'submitted', extraEnter: false }
      if (why === 'stopped') return { kind: 'held', reason: { code: 'paused', by: 'session' } }
      return held('it did not take the text within 30 s')
    } catch (error) {
      return perhapsThere(error)
    }
  }
  return {
    async type({ entryId, text }, control) {
      try {
        await inbox.put(thread, entryId, text)
      } catch (error) {
        if (error instanceof RequestFailed && error.refused) return held(error.message)
        return perhapsThere(error)
      }
      return taken(entryId, control)
    },
    // Nobody knows whether it was taken: one that lies there still was not.
    async pressOwedEnter({ entryId }) {
      try {
        if (!(await inbox.takeOut(thread, entryId))) return { kind: 'unknown' }
        return { kind: 'held', reason: { code: 'settling' } }
      } catch (error) {
        return perhapsThere(error)
      }
    },
    async takeOut({ entryId }) {
      try {
        return { kind: (await inbox.takeOut(thread, entryId)) ? 'removed' : 'unknown' }
      } catch (error) {
        return perhapsThere(error)
      }
    },
  }
}

const perhapsThere = (error: unknown): TypeResult => ({
  kind: 'enter-owed',
  reason: { code: 'inbox-away', why: messageOf(error) },
  entered: true,
})
