import type { ControlClient } from './socket.ts'

/** Asks the engine of another machine what a client asks its own: each operation goes there by its name. */
export const clientThere = (client: ControlClient, machine: string): ControlClient =>
  new Proxy({} as ControlClient, {
    get(_, operation) {
      if (typeof operation !== 'string' || operation === 'then') return undefined
      const call = (input: unknown) => client.callThere.mutate({ machine, operation, input })
      type Handlers = Parameters<typeof client.followThere.subscribe>[1]
      return {
        query: call,
        mutate: call,
        subscribe: (input: unknown, handlers: Handlers) =>
          client.followThere.subscribe({ machine, operation, input }, handlers),
      }
    },
  })
