/**
 * tRPC over one WebSocket, on which page and engine have proved themselves to each other. It lives as long as that
 * socket: connect.ts opens the next one.
 */
import { createTRPCClient, createWSClient, wsLink, type TRPCClient } from '@trpc/client'
import { controlPath } from '../../shared/control/address.ts'
import type { Credential, Exchange } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import type { ControlRouter } from '../../shared/control/router.ts'
import type { EngineUpdate } from '../../shared/state.ts'

export type ControlClient = TRPCClient<ControlRouter>

export interface Socket {
  client: ControlClient
  dispose(): void
}
export interface SocketHandlers {
  onUpdate(update: EngineUpdate): void
  /** WebSocket close code */ onClose(code: number): void
}
export type OpenSocket = (handlers: SocketHandlers) => Socket

/**
 * Longer than any window is open: reconnecting is connect.ts's business, tRPC would resend what a person asked minutes
 * ago.
 */
const never = 2 ** 31 - 1

export interface Access {
  credential(): Credential
  /** before anything is asked on the connection */
  onAdmitted(exchange: Exchange): Promise<void>
}

export function openSocket(origin: string, access: Access): OpenSocket {
  return ({ onUpdate, onClose }) => {
    const ws = createWSClient({
      url: `${origin.replace(/^http/, 'ws')}${controlPath}`,
      WebSocket: provenSocket({ WebSocket, path: controlPath, ...access }),
      keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
      retryDelayMs: () => never,
      onClose: (cause) => onClose(cause?.code ?? 1006),
    })
    const client = createTRPCClient<ControlRouter>({ links: [wsLink({ client: ws })] })
    const following = client.follow.subscribe(undefined, { onData: onUpdate, onError: () => onClose(1006) })
    return {
      client,
      dispose() {
        following.unsubscribe()
        void ws.close()
      },
    }
  }
}
