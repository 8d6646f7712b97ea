/** A running engine of another process as the desktop sees it: the same link as an engine of its own. */
import type { Duplex } from 'node:stream'
import { TRPCClientError, createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { homeId } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import { controlPath } from '../../shared/control/address.ts'
import type { ControlRouter } from '../../shared/control/router.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import { factsOf } from '../../shared/problems.ts'
import { messageOf, OnwardError } from '../engine/base/errors.ts'
import { socketAt } from '../engine/base/network/own-socket.ts'
import type { EngineInfo } from '../engine/control/attach.ts'
import { pageOrigin } from '../engine/control/page-access.ts'
import type { EngineLink } from '../shell/life/engine-link.ts'

export interface AttachedEngine extends EngineLink {
  owned: false
  /** resolves when both have proved that they hold the control token */
  answers(): Promise<void>
  /** an operation of shared/operations by its name. @throws OnwardError as it was there */
  call(what: { operation: string; kind: 'query' | 'mutation'; input: unknown }): Promise<unknown>
  /** a subscription; ends with the signal, or the connection */
  watch(operation: string, input: unknown, signal: AbortSignal): AsyncIterable<unknown>
  /** false: it refuses. true does not say that it has ended: one that ends may be gone before it answers */
  handOver(): Promise<boolean>
}

/**
 * Longer than the app lives: a lost engine is looked for anew (shell/life/keep-linked.ts), tRPC would wait for the old
 * one.
 */
const never = 2 ** 31 - 1

/** Connects at once. When the connection ends, what follows ends with it and calls fail. */
export function attachToEngine(
  info: Pick<EngineInfo, 'host' | 'port'> & { socket: string | Duplex },
  token: string,
): AttachedEngine {
  const lost = new AbortController()
  const client = createWSClient({
    url: `ws://onward${controlPath}`,
    WebSocket: provenSocket({
      // ws has everything of the browser's class that is used
      WebSocket: socketAt(info.socket) as unknown as typeof globalThis.WebSocket,
      credential: () => ({ id: homeId, key: token }),
      path: controlPath,
    }),
    retryDelayMs: () => never,
    onClose: () => lost.abort(),
  })
  const api = createTRPCClient<ControlRouter>({ links: [wsLink({ client })] })
  /** tRPC keeps what is asked without a connection until there is one again; here there never is. */
  const call = <T>(run: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new OnwardError('engine-gone', 'The engine went away.'))
      if (lost.signal.aborted) return fail()
      lost.signal.addEventListener('abort', fail, { once: true })
      run()
        .then(resolve, reject)
        .finally(() => lost.signal.removeEventListener('abort', fail))
    })
  const watch = (operation: string, input: unknown, signal: AbortSignal) =>
    updates(AbortSignal.any([signal, lost.signal]), (to) =>
      (Reflect.get(api, operation) as typeof api.follow).subscribe(input as undefined, {
        onData: to.update,
        onError: to.failed,
        onComplete: to.ended,
      }),
    )
  return {
    owned: false,
    origin: pageOrigin(info),
    dashboardLink: () => call(() => api.dashboardLink.mutate()),
    answers: async () => {
      await call(() => api.status.query())
    },
    pause: (session) => call(() => api.pause.mutate(session)),
    resume: (session) => call(() => api.resume.mutate(session)),
    rearm: (session) => call(() => api.rearmStopMessage.mutate(session)),
    snoozeAlarm: (alarm, minutes) => call(() => api.snoozeAlarm.mutate({ alarm, minutes })),
    cancelAlarm: (alarm) => call(() => api.cancelAlarm.mutate(alarm)),
    wokeUp: () => undefined,
    handOver: () =>
      call(() => api.handOver.mutate()).then(
        () => true,
        (error: unknown) => !refused(error),
      ),
    async call({ operation, kind, input }) {
      const procedure = Reflect.get(api, operation) as Record<'query' | 'mutate', (input: unknown) => Promise<unknown>>
      return call(() => procedure[kind === 'query' ? kind : 'mutate'](input)).catch((error: unknown) => {
        throw asThere(error)
      })
    },
    watch,
    follow: (signal) => watch('follow', undefined, signal) as AsyncIterable<EngineUpdate>,
    async dispose() {
      lost.abort()
      // It waits for answers that may never come.
      void client.close()
    },
  }
}

/** An answer of the engine itself carries data; a connection that went away does not. */
const refused = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.data !== undefined && error.data !== null

/** A refusal as the engine itself threw it: with its code, its sentence and what that is made of. */
function asThere(error: unknown): unknown {
  const data: unknown = error instanceof TRPCClientError ? error.data : null
  if (typeof data !== 'object' || data === null) return error
  const { onwardCode, onwardFacts, onwardField }: Record<string, unknown> = { ...data }
  if (typeof onwardCode !== 'string') return error
  const details = { ...factsOf(onwardFacts), ...(typeof onwardField === 'string' && { field: onwardField }) }
  return new OnwardError(onwardCode, messageOf(error), { details, cause: error })
}

interface To {
  update(update: unknown): void
  failed(error: unknown): void
  ended(): void
}

/** A callback subscription as an async iterable. Ends with the signal or the connection. */
async function* updates(signal: AbortSignal, subscribe: (to: To) => { unsubscribe(): void }): AsyncIterable<unknown> {
  const waiting: unknown[] = []
  const end: { how: { error: unknown } | 'quietly' | null } = { how: null }
  let wake: () => void = () => undefined
  const endWith = (how: { error: unknown } | 'quietly') => {
    end.how ??= how
    wake()
  }
  const subscription = subscribe({
    update(update) {
      waiting.push(update)
      wake()
    },
    failed: (error) => endWith({ error }),
    ended: () => endWith('quietly'),
  })
  const stop = () => endWith('quietly')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()
      if (end.how === 'quietly') return
      if (end.how !== null) throw asThere(end.how.error)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    signal.removeEventListener('abort', stop)
    subscription.unsubscribe()
  }
}
