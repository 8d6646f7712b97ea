/** A running engine of another process as the desktop sees it: the same link as an engine of its own. */
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { WebSocket } from 'ws'
import { controlPath, type ControlRouter } from '../shared/control/router.ts'
import type { EngineUpdate } from '../shared/state.ts'
import type { EngineInfo } from './engine/control/attach.ts'
import type { EngineLink } from './shell/engine-link.ts'

export function attachToEngine(info: EngineInfo, token: string): EngineLink & { handOver(): Promise<void> } {
  const client = createWSClient({
    url: `ws://${info.host}:${info.port}${controlPath}`,
    connectionParams: { token },
    // tRPC wants the browser's class; ws has everything it uses of it
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
  })
  const api = createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  return {
    owned: false,
    dashboardUrl: `http://${info.host}:${info.port}/dashboard/#token=${token}`,
    pause: (session) => api.pause.mutate(session),
    resume: (session) => api.resume.mutate(session),
    rearm: (session) => api.rearmStopMessage.mutate(session),
    handOver: () => api.handOver.mutate(),
    follow: (signal) => updates(signal, (onUpdate, onEnd) => api.follow.subscribe(undefined, { onData: onUpdate, onError: onEnd, onComplete: () => onEnd(null) })),
    dispose: () => client.close(),
  }
}

/** A callback subscription as an async iterable. Ends with the signal or the connection. */
async function* updates(signal: AbortSignal, subscribe: (onUpdate: (update: EngineUpdate) => void, onEnd: (error: unknown) => void) => { unsubscribe(): void }): AsyncIterable<EngineUpdate> {
  const waiting: EngineUpdate[] = []
  let ended: { error: unknown } | null = null
  let wake: () => void = () => undefined
  const end = (error: unknown) => { ended ??= { error }; wake() }
  const subscription = subscribe((update) => { waiting.push(update); wake() }, end)
  const stop = () => end(null)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      for (let update = waiting.shift(); update; update = waiting.shift()) yield update
      if (ended !== null) {
        const { error } = ended as { error: unknown }
        if (error) throw error
        return
      }
      await new Promise<void>((resolve) => { wake = resolve })
    }
  } finally {
    signal.removeEventListener('abort', stop)
    subscription.unsubscribe()
  }
}
