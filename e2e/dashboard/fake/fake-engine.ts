/**
 * A control server over a scene in memory, with the real router, the real doorman and the page's real CSP: to develop
 * the dashboard without an engine and to drive it in tests. Not shipped.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { createPageAccess } from '../../../electron/engine/control/page-access.ts'
import { createControlServer } from '../../../electron/engine/control/server.ts'
import { systemClock } from '../../../electron/engine/base/clock.ts'
import { systemRandom } from '../../../electron/engine/base/ids.ts'
import { silentLog } from '../../../electron/engine/base/log.ts'
import { fakeApi, type FakeApi } from './fake-api.ts'
import { scene, type Scene } from './scene.ts'

export interface FakeEngine {
  api: FakeApi
  /** the dashboard's address without its token */
  origin: string
  /** a link as a person gets it, good for one page */
  url(place?: string): string
  /**
   * ends the control connections as an engine does that stops; the page's files go on being served, its access holds
   */
  stop(): void
  /** takes connections again */
  start(): void
  dispose(): Promise<void>
}

export interface FakeEngineOptions {
  dir: string
  now?: () => number
  makeScene?: (now: number) => Scene
  port?: number
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
}
const csp =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' " +
  "data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export async function startFakeEngine({
  dir,
  now = Date.now,
  makeScene = scene,
  port = 0,
}: FakeEngineOptions): Promise<FakeEngine> {
  const access = createPageAccess(systemRandom(), 'dev', {
    read: () => null,
    write: () => undefined,
    failed: () => undefined,
  })
  const url = (place?: string) =>
    `${origin}/dashboard/#token=${access.newLink()}${place ? `&place=${encodeURIComponent(place)}` : ''}`
  const api = fakeApi(makeScene(now()), now, {
    newLink: () => url(),
    signOut() {
      access.endAll()
      control?.signOut()
    },
  })
  const newControl = () => createControlServer({ api, keys: access.keys, log: silentLog, clock: systemClock() })
  let control: ReturnType<typeof newControl> | null = newControl()
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/'))
    if (!path.startsWith('/dashboard/')) {
      response.writeHead(404).end()
      return
    }
    const file = join(dir, path.slice('/dashboard/'.length) || 'index.html')
    readFile(file).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': types[extname(file)] ?? 'application/octet-stream',
            'content-security-policy': csp,
            'x-content-type-options': 'nosniff',
          })
          .end(body),
      () => response.writeHead(404).end(),
    )
  })
  server.on('upgrade', (request, socket, head) => {
    if (!control?.handleUpgrade(request, socket, head)) socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake engine listens on a port')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    api,
    origin,
    url,
    stop() {
      control?.dispose()
      control = null
    },
    start() {
      control ??= newControl()
    },
    async dispose() {
      control?.dispose()
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
