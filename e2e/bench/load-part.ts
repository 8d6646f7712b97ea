/** What the load figures ask of an engine over its own socket, as the dashboard does; bundled for the bench. */
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { socketAt } from '../../electron/engine/base/own-socket.ts'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { readControlToken } from '../../electron/engine/control/token.ts'
import { homeId } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import { controlPath } from '../../shared/control/address.ts'
import type { ControlRouter } from '../../shared/control/router.ts'

export interface LoadControl {
  api: ReturnType<typeof createTRPCClient<ControlRouter>>
  /** how often each alarm was told to its agent, by its id */
  told: ReadonlyMap<string, number>
  close(): void
}

export async function control(home: string): Promise<LoadControl> {
  const [info, token] = [await findRunningEngine(home), await readControlToken(home)]
  if (info === null || token === null) throw new Error(`no engine runs for ${home}`)
  const client = createWSClient({
    url: `ws://onward${controlPath}`,
    WebSocket: provenSocket({
      WebSocket: socketAt(info.socket) as unknown as typeof globalThis.WebSocket,
      credential: () => ({ id: homeId, key: token }),
      path: controlPath,
    }),
  })
  const api = createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  const told = new Map<string, number>()
  const following = api.follow.subscribe(undefined, {
    onData(update) {
      if (update.type !== 'event' || update.event.body.type !== 'alarm-delivered') return
      for (const id of update.event.body.taskIds) told.set(id, (told.get(id) ?? 0) + 1)
    },
  })
  return {
    api,
    told,
    close() {
      following.unsubscribe()
      void client.close()
    },
  }
}
