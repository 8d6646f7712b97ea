import { createServer, type Server } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { OnwardError, messageOf, systemCodeOf } from '../base/errors.ts'
import { isLoopback } from './access/authenticate.ts'
import { brokenRequestHandler } from './connections.ts'
import { trackConnections } from './connections.ts'
import { requestHandler } from './handle-request.ts'
import type { GivenSocket } from './given-socket.ts'
import type { Gateway, GatewayDeps } from './types.ts'
import { upgradeHandler } from './upgrades.ts'

/** connections that the system takes for a process that is busy */
const backlog = 1024

const limits = {
  /** bytes; Codex sends its turn metadata and Claude Code a dozen beta flags in headers, together a few KB */
  maxHeaderSize: 64 * 1024,
  /** ms for the whole head, and for the whole request: 64 MiB at 5 Mbit/s still fit */
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  /**
   * ms an idle connection stays open: longer than agents think between calls, so that none is cut as it is used again
   */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5000,
}

/**
 * Opens the endpoint for clients on `server.host`:`server.port` (0: any free port).
 * @throws OnwardError `keys-required` | `port-in-use` | `port-refused` | `given-elsewhere` | `listen-failed`
 */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { host, port, keys } = deps.config()
  if (host !== 'localhost' && !isLoopback(host) && keys.length === 0) {
    throw new OnwardError(
      'keys-required',
      `Onward listens on ${host} only when server.keys is set in the config: ` +
        'without a key every machine that reaches it could use your providers.',
    )
  }
  const server = createServer({ ...limits, noDelay: true })
  const connections = trackConnections(server)
  const handle = requestHandler(deps, connections)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('upgrade', upgradeHandler(deps, server, connections))
  server.on('clientError', brokenRequestHandler(deps, connections))
  const waiting = deps.held?.release() ?? []
  await listen(server, host, port, deps.given)
  for (const socket of waiting) {
    // of another port than the config has now
    if (socket.localPort !== addressOf(server).port) socket.destroy()
    else server.emit('connection', socket)
    socket.resume()
  }
  server.on('error', (error) =>
    deps.log.error({ code: systemCodeOf(error) ?? 'unknown', error: messageOf(error) }, 'the gateway had a problem'),
  )
  const bound = addressOf(server)
  return {
    // A name can lead to an address of another program's (localhost to ::1), so ours is given as a number.
    host: isIP(host) === 0 ? bound.address : host,
    port: bound.port,
    openAnswers: connections.open,
    finish(ended) {
      server.close()
      connections.finish(ended)
    },
    dispose() {
      server.close()
      connections.dispose()
    },
  }
}

async function listen(server: Server, host: string, port: number, given: GivenSocket | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(error, host, port))
    server.once('error', failed)
    const listening = () => {
      server.off('error', failed)
      resolve()
    }
    if (given) server.listen({ fd: given.fd }, backlog, listening)
    else server.listen({ host, port, backlog }, listening)
  })
  if (given) checkGiven(server, host, port)
}

/** Clients and the config's bounds on who may call go by one address. */
function checkGiven(server: Server, host: string, port: number): void {
  const at = server.address()
  const there = at === null || typeof at === 'string' ? null : at
  if (there?.port === port && (there.address === host || (host === 'localhost' && isLoopback(there.address)))) return
  server.close()
  throw new OnwardError(
    'given-elsewhere',
    `Onward was handed a socket that listens on ${there ? `${there.address}:${there.port}` : 'no TCP port'}, ` +
      `and is to listen on ${host}:${port}. ` +
      'Write the service anew (`onward service install`), or make server.host and server.port in the config the same.',
  )
}

function listenError(cause: Error, host: string, port: number): OnwardError {
  switch (systemCodeOf(cause)) {
    case 'EADDRINUSE':
      return new OnwardError(
        'port-in-use',
        `Another program already listens on ${host}:${port}. End it, or choose another server.port in the config.`,
        { cause },
      )
    case 'EACCES':
      return new OnwardError(
        'port-refused',
        `The system does not let Onward listen on port ${port}. Choose one above 1023.`,
        { cause },
      )
    default:
      return new OnwardError('listen-failed', `Onward can't listen on ${host}:${port}: ${messageOf(cause)}.`, { cause })
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new OnwardError('listen-failed', 'The gateway has no TCP address.')
  return address
}
