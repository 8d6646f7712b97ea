/**
 * Where phones reach the dashboard over https: one address and one port, opened only where the config names them. It
 * serves the page and the connections of paired devices, and nothing for agents.
 */
import { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { PhoneListening } from '../../../shared/devices.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { selfSigned, type Certificate } from '../base/self-signed.ts'
import { serial } from '../base/work.ts'
import type { Files } from '../store/types.ts'
import { refuseForeign } from './access/authenticate.ts'

export interface PhoneListener extends Disposable {
  /** null: it is to listen nowhere, or could not; `problem` says why */
  listening(): PhoneListening | null
  problem(): string | null
  /** follows the config; resolves when it listens, or could not */
  look(): Promise<void>
}

export interface PhoneListenerDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic'>
  /** `host` null: nowhere */
  wanted(): { host: string | null; port: number }
  allowedHosts(): readonly string[]
  staticPage(req: IncomingMessage, res: ServerResponse): boolean
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  clock: Clock
  random: Random
  log: Log
}

const dayMs = 24 * 3_600_000
/** Safari wants no longer ones */
const validMs = 800 * dayMs
const renewMs = 30 * dayMs
/** a machine that changes its network has its address back some day */
const againMs = 60_000
const mostConnections = 200
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requestTimeout: 30_000, handshakeTimeout: 10_000 }
const kept = z.object({ key: z.string(), cert: z.string() })

export function createPhoneListener(deps: PhoneListenerDeps): PhoneListener {
  const { clock, log } = deps
  const inTurn = serial()
  let server: Server | null = null
  let at: PhoneListening | null = null
  let failed: string | null = null
  let again: Disposable | null = null
  let over = false

  const close = () => {
    again?.dispose()
    server?.close()
    server?.closeAllConnections()
    server = null
    at = null
    failed = null
  }
  const look = () =>
    inTurn(async () => {
      const { host, port } = deps.wanted()
      if (over || (at !== null && at.host === host && (port === 0 || at.port === port))) return
      close()
      if (host === null) return
      try {
        const own = await certificateFor(host, deps)
        const opened = await open(host, port, own, deps)
        if (over) return void opened.close()
        server = opened
        const address = opened.address()
        at = {
          host,
          port: typeof address === 'object' && address ? address.port : port,
          fingerprint: new X509Certificate(own.cert).fingerprint256,
        }
        log.info({ host, port: at.port }, 'phones are served here')
      } catch (error) {
        failed = whyNot(host, port, error)
        log.warn({ error: failed }, 'phones are not served')
        again = clock.after(againMs, () => void look())
      }
    })
  return {
    listening: () => at,
    problem: () => failed,
    look,
    dispose() {
      over = true
      close()
    },
  }
}

function open(host: string, port: number, own: Certificate, deps: PhoneListenerDeps): Promise<Server> {
  const foreign = ({ headers, socket }: IncomingMessage) =>
    refuseForeign(headers.host, headers.origin, socket.localAddress, deps.allowedHosts())
  const server = createServer({ ...limits, ...own, minVersion: 'TLSv1.2' }, (req, res) => {
    const refusal = foreign(req)
    if (refusal) return void res.writeHead(refusal.status).end(`${refusal.message}\n`)
    if (req.url === '/health') return void res.writeHead(200, { 'cache-control': 'no-store' }).end('ok\n')
    if (req.url === '/') return void res.writeHead(302, { location: '/dashboard/' }).end()
    if (!deps.staticPage(req, res)) res.writeHead(404).end()
  })
  server.maxConnections = mostConnections
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', (error) => deps.log.debug({ error: messageOf(error) }, 'a phone’s connection broke'))
    if (foreign(req) || !deps.upgrade(req, socket, head)) socket.destroy()
  })
  server.on('tlsClientError', (error) => deps.log.debug({ error: messageOf(error) }, 'no TLS with a phone'))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      server.on('error', (error) => deps.log.error({ error: messageOf(error) }, 'the phones’ port had a problem'))
      resolve(server)
    })
  })
}

/** `phone-tls.json` in the home, for its owner alone; made anew for another address, or a month before its end. */
async function certificateFor(host: string, { home, files, clock, random }: PhoneListenerDeps): Promise<Certificate> {
  const path = join(home, 'phone-tls.json')
  const text = (await files.read(path))?.toString('utf8') ?? ''
  const found = kept.safeParse(parseJson(text)).data
  const now = clock.now()
  if (found && isFor(found.cert, host, now + renewMs)) return found
  const made = selfSigned(host, Buffer.from(random.token(16), 'base64url'), now - dayMs, now + validMs)
  await files.writeAtomic(path, `${JSON.stringify(made)}\n`)
  return made
}

function isFor(cert: string, host: string, at: number): boolean {
  try {
    const read = new X509Certificate(cert)
    return read.checkIP(host) !== undefined && Date.parse(read.validTo) > at
  } catch {
    // whatever it is, it is no certificate
    return false
  }
}

function whyNot(host: string, port: number, error: unknown): string {
  switch (systemCodeOf(error)) {
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${host} now. Choose another one, or none.`
    case 'EADDRINUSE':
      return `Another program listens on ${host}:${port}. Choose another phone.port in the config.`
    default:
      return `Phones can’t be served at ${host}:${port}: ${messageOf(error)}.`
  }
}
