import { messageOf, OnwardError } from './engine/base/errors.ts'
import type { Transport, UpstreamCall } from './engine/providers/types.ts'

/**
 * A transport that is loaded when the engine listens, or with a request that is quicker: undici and TLS are a
 * twentieth of a start. Later requests go straight to it.
 */
export function lateTransport(load: () => Promise<Transport>): Transport {
  let loaded: Transport | null = null
  let loading: Promise<Transport> | null = null
  const whenLoaded = async (): Promise<Transport> => {
    loading ??= load()
    try {
      return (loaded = await loading)
    } catch (error) {
      loading = null
      throw error
    }
  }
  return {
    send(request, handler) {
      if (loaded) return loaded.send(request, handler)
      let call: UpstreamCall | null = null
      let aborted = false
      void whenLoaded().then(
        (transport) => {
          call = transport.send(request, handler)
          if (aborted) call.abort()
        },
        (error: unknown) =>
          handler.onError(
            new OnwardError(
              'upstream-unreachable',
              `What connects to providers can’t be loaded: ${messageOf(error)}.`,
              {
                cause: error,
              },
            ),
          ),
      )
      return {
        abort() {
          aborted = true
          call?.abort()
        },
        dump: () => call?.dump(),
        resume: () => call?.resume(),
        sent: () => call?.sent?.() ?? false,
      }
    },
    endAll: (error) => loaded?.endAll?.(error),
    async dispose() {
      // A request that came right before the end is ended with it.
      const transport = await loading?.catch(() => null)
      await transport?.dispose()
    },
  }
}
