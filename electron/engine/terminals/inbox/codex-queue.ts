import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { AgentProgram } from '../process/proc-reader.ts'
import { startAppServer } from './app-server.ts'

/** An agent's own list of messages to come. What was put there the agent sends once it is at rest. */
export interface AgentInbox extends Disposable {
  /** of the program that keeps it; null: it does not say */
  version: string | null
  ended(): boolean
  /** @throws RequestFailed */
  put(thread: string, entryId: string, text: string): Promise<void>
  /** True: it lay there and does not any more, so that the agent never sees it. @throws RequestFailed */
  takeOut(thread: string, entryId: string): Promise<boolean>
  /** Pauses the agent's own goal. @returns whether it is paused now @throws RequestFailed */
  pauseGoal(thread: string): Promise<boolean>
}

const hello = { clientInfo: { name: 'onward', version: '0' }, capabilities: { experimentalApi: true } }
const greeted = z.object({ userAgent: z.string() })
const listed = z.object({
  data: z.array(z.object({ id: z.string(), clientUserMessageId: z.string() })),
  nextCursor: z.string().nullable(),
})
const deleted = z.object({ deleted: z.boolean() })
const goalSet = z.object({ goal: z.object({ status: z.string() }) })

/**
 * Opens the queue of Codex 0.171.0, which its windows share with each `app-server` of the same CODEX_HOME: one looks
 * into it when its turn ends, and every 10 s at rest. A message is known by the entry's id.
 */
export async function openCodexQueue(program: AgentProgram, clock: Clock): Promise<AgentInbox> {
  const server = startAppServer(program, clock)
  try {
    const { userAgent } = greeted.parse(await server.request('initialize', hello))
    server.notify('initialized')
    return {
      version: /^[^/]*\/(\S+)/.exec(userAgent)?.[1] ?? null,
      ended: server.ended,
      async put(threadId, entryId, text) {
        const input = [{ type: 'text', text, text_elements: [] }]
        await server.request('thread/queue/add', { threadId, clientUserMessageId: entryId, input })
      },
      async takeOut(threadId, entryId) {
        for (let cursor: string | null = null; ;) {
          const page = listed.parse(await server.request('thread/queue/list', { threadId, cursor }))
          const found = page.data.find((one) => one.clientUserMessageId === entryId)
          if (found) {
            const answer = await server.request('thread/queue/delete', { threadId, queuedSubmissionId: found.id })
            return deleted.parse(answer).deleted
          }
          cursor = page.nextCursor
          if (cursor === null) return false
        }
      },
      async pauseGoal(threadId) {
        const answer = await server.request('thread/goal/set', { threadId, status: 'paused' })
        return goalSet.parse(answer).goal.status === 'paused'
      },
      dispose: () => server.dispose(),
    }
  } catch (error) {
    server.dispose()
    throw error
  }
}
