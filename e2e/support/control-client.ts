import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { socketAt } from '../../electron/engine/base/network/own-socket.ts'
import { homeId } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import { controlPath } from '../../shared/control/address.ts'
import type { ControlRouter } from '../../shared/control/router.ts'
import type { EngineUpdate, SessionView, TerminalView } from '../../shared/state.ts'
import type { TimelineEvent } from '../../shared/events.ts'
import { forViewers } from '../../shared/control/under-way.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** The control API as a test uses it: calls, and a live picture of what it was told. */
export interface TestControl {
  api: ReturnType<typeof createTRPCClient<ControlRouter>>
  sessions: ReadonlyMap<string, SessionView>
  terminals: ReadonlyMap<string, TerminalView>
  events: readonly TimelineEvent[]
  notices: readonly Extract<EngineUpdate, { type: 'notice' }>['notice'][]
  /** waits for a session that fits; of one that came to an end, also for the events that say why */
  session(fits: (session: SessionView) => boolean, limitMs?: number): Promise<SessionView>
  /** waits for an event that fits, from the beginning of the connection on */
  event<T extends TimelineEvent['body']['type']>(
    type: T,
    fits?: (body: Extract<TimelineEvent['body'], { type: T }>) => boolean,
    limitMs?: number,
  ): Promise<TimelineEvent>
  dispose(): void
}

/** What the engine did before this is here: a session's end is shown a moment before the events that say why. */
export async function toldSoFar(api: TestControl['api']): Promise<void> {
  // The first answer comes when what was being done is done, a later one when viewers have been told of it.
  await api.underWay.query()
  await waitFor('all that was done to be told', async () => !(await api.underWay.query()).includes(forViewers))
}

/** Over the engine's own socket, as everybody who can read its home. */
export async function connectForTest(home: string): Promise<TestControl> {
  const read = (name: string) => readFileSync(join(home, name), 'utf8')
  const { socket } = JSON.parse(read('engine.json')) as { socket: string }
  const key = read('control-token').trim()
  const client = createWSClient({
    url: `ws://onward${controlPath}`,
    WebSocket: provenSocket({
      WebSocket: socketAt(socket) as unknown as typeof globalThis.WebSocket,
      credential: () => ({ id: homeId, key }),
      path: controlPath,
    }),
  })
  const api = createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  const sessions = new Map<string, SessionView>()
  const terminals = new Map<string, TerminalView>()
  const events: TimelineEvent[] = []
  const notices: Extract<EngineUpdate, { type: 'notice' }>['notice'][] = []
  await new Promise<void>((ok, bad) => {
    api.follow.subscribe(undefined, {
      onData(update) {
        switch (update.type) {
          case 'snapshot':
            for (const s of update.sessions) sessions.set(s.id, s)
            for (const t of update.terminals) terminals.set(t.id, t)
            ok()
            break
          case 'session':
            sessions.set(update.session.id, update.session)
            break
          case 'session-removed':
            sessions.delete(update.id)
            break
          case 'terminal':
            terminals.set(update.terminal.id, update.terminal)
            break
          case 'terminal-removed':
            terminals.delete(update.id)
            break
          case 'event':
            events.push(update.event)
            break
          case 'notice':
            notices.push(update.notice)
            break
          default:
            break
        }
      },
      onError: bad,
    })
  })
  return {
    api,
    sessions,
    terminals,
    events,
    notices,
    async session(fits, limitMs) {
      const found = await waitFor('a session', () => Array.from(sessions.values()).find(fits), limitMs)
      if (found.shape === 'done' || found.shape === 'failed' || found.shape === 'needs') await toldSoFar(api)
      return found
    },
    event: (type, fits, limitMs) =>
      waitFor(
        `the event ${type}`,
        () => events.find((e) => e.body.type === type && (fits?.(e.body as never) ?? true)),
        limitMs,
      ),
    dispose: () => client.close(),
  }
}
