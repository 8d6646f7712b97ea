/**
 * A port for those who watch a container: `/ready` and `/health`, and nothing else. The engine's own port is closed
 * while the last answers run to their ends, so that the next engine can have it; this one says until the end that it is
 * not ready, and may be reached from elsewhere where the engine's own is on loopback.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import { answerJson } from './answer.ts'

export type Readiness = 'ready' | 'starting' | 'ending' | 'config-unreadable' | 'policy-unreadable'

export interface ProbeListener extends Disposable {
  port: number
}

export interface ProbeListenerDeps {
  /** 0: a free one */
  port: number
  readiness(): Readiness
  log: Log
}

/** @throws OnwardError `probe-port` */
export async function openProbes({ port, readiness, log }: ProbeListenerDeps): Promise<ProbeListener> {
  const server = createServer({ maxHeaderSize: 8 * 1024, headersTimeout: 5_000, requestTimeout: 5_000 }, (req, res) =>
    answer(req, res, readiness()),
  )
  server.maxConnections = 50
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error) =>
      reject(
        new OnwardError(
          'probe-port',
          `Onward can’t listen on port ${port} for probes: ${systemCodeOf(error) ?? messageOf(error)}. ` +
            'Choose another server.probePort in the config.',
          { cause: error },
        ),
      )
    server.once('error', failed)
    server.listen({ port }, () => {
      server.off('error', failed)
      resolve()
    })
  })
  server.on('error', (error) => log.error({ error: messageOf(error) }, 'the port for probes had a problem'))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    dispose() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(req: IncomingMessage, res: ServerResponse, readiness: Readiness): void {
  const path = (req.url ?? '').split('?')[0]
  // Each probe is a connection of its own: none is left open when the engine ends.
  res.setHeader('connection', 'close')
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerJson(req, res, 405, { name: 'onward' })
  if (path === '/health') return answerJson(req, res, 200, { name: 'onward', status: 'ok' })
  if (path !== '/ready') return answerJson(req, res, 404, { name: 'onward' })
  answerJson(req, res, readiness === 'ready' ? 200 : 503, { name: 'onward', ready: readiness === 'ready', readiness })
}
