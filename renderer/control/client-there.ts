import { waitsAtHub, type FleetAnswer } from '../../shared/fleet.ts'
import type { ControlClient } from './socket.ts'

/**
 * Asks the engine of another machine what a client asks its own: each operation goes there by its name.
 * @param onKept the hub of a fleet keeps it, until then
 */
export const clientThere = (client: ControlClient, machine: string, onKept: (until: number) => void): ControlClient =>
  new Proxy({} as ControlClient, {
    get(_, operation) {
      if (typeof operation !== 'string' || operation === 'then') return undefined
      const call = async (input: unknown) => {
        const answer = await client.callThere.mutate({ machine, operation, input })
        if (waitsAtHub(operation) && isKept(answer)) onKept(answer.until)
        return answer
      }
      type Handlers = Parameters<typeof client.followThere.subscribe>[1]
      return {
        query: call,
        mutate: call,
        subscribe: (input: unknown, handlers: Handlers) =>
          client.followThere.subscribe({ machine, operation, input }, handlers),
      }
    },
  })

const isKept = (answer: unknown): answer is Extract<FleetAnswer, { kind: 'waits' }> =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'waits'
