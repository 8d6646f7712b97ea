/**
 * Where phones reach the dashboard over https: one address and one port, opened only where the config names them. It
 * serves the page and the connections of paired devices, and nothing for agents.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Duplex } from 'node:stream'
import type { PhoneListening } from '../../../shared/devices.ts'
import { factsOf, type ProblemReport } from '../../../shared/problems.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import { serial } from '../base/work.ts'
import { refuseForeign } from './access/authenticate.ts'
import {
  phoneCertificate,
  type PhoneCertificate,
  type PhoneCertificateDeps,
  type PhonePlace,
} from './phone-certificate.ts'

export interface PhoneListener extends Disposable {
  /** null: it is to listen nowhere, or could not */
  listening(): PhoneListening | null
  /** why it does not listen, or goes on with the certificate that it had */
  problem(): ProblemReport | null
  /** follows the config; resolves when it listens, or could not */
  look(): Promise<void>
  tailscale: PhoneCertificateDeps['tailscale']
}

export interface PhoneListenerDeps extends PhoneCertificateDeps {
  /** `host` null: nowhere */
  wanted(): Omit<PhonePlace, 'host'> & { host: string | null }
  allowedHosts(): readonly string[]
  staticPage(req: IncomingMessage, res: ServerResponse): boolean
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  clock: Clock
}

/** a machine that changes its network has its address back some day */
const againMs = 60_000
const mostConnections = 200
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requestTimeout: 30_000, handshakeTimeout: 10_000 }

export function createPhoneListener(deps: PhoneListenerDeps): PhoneListener {
  const { clock, log } = deps
  const inTurn = serial()
  let server: Server | null = null
  let at: PhoneListening | null = null
  let used: PhoneCertificate | null = null
  /** what the config said when it was opened */
  let openFor = ''
  let failed: ProblemReport | null = null
  let again: Disposable | null = null
  let over = false

  const close = () => {
    server?.close()
    server?.closeAllConnections()
    server = null
    at = null
  }
  const follow = async () => {
    again?.dispose()
    failed = null
    const { host, ...rest } = deps.wanted()
    if (over || host === null) return close()
    const changed = () => over || JSON.stringify(deps.wanted()) !== JSON.stringify({ host, ...rest })
    try {
      const made = await phoneCertificate({ host, ...rest }, deps)
      // Tailscale may have taken minutes.
      if (changed()) return
      if (server !== null && at?.host === made.host && (rest.port === 0 || at.port === rest.port)) {
        if (made.cert !== used?.cert) server.setSecureContext({ key: made.key, cert: made.cert })
        at = listeningOf(made, at.port)
      } else {
        close()
        const opened = await open(made, rest.port, () => used?.name ?? made.name, deps)
        if (over) return void opened.close()
        server = opened
        const address = opened.address()
        at = listeningOf(made, typeof address === 'object' && address ? address.port : rest.port)
        log.info({ host: at.host, port: at.port, name: made.name }, 'phones are served here')
      }
      used = made
      openFor = `${host} ${rest.port}`
      again = clock.after(made.againMs, () => void look())
    } catch (error) {
      // One that is open goes on with the certificate that it has.
      if (!OnwardError.isInstance(error) || openFor !== `${host} ${rest.port}`) close()
      failed = whyNot(host, rest.port, error)
      const { code, said } = failed
      log.warn(
        { code, error: said },
        at === null ? 'phones are not served' : 'phones are served with the old certificate',
      )
      if (!over) again = clock.after(againMs, () => void look())
    }
  }
  const look = () => {
    if (deps.wanted().host === null) close()
    return inTurn(follow)
  }
  return {
    listening: () => at,
    problem: () => failed,
    look,
    tailscale: deps.tailscale,
    dispose() {
      over = true
      again?.dispose()
      close()
    },
  }
}

/** An address of IPv6 stands in brackets. */
const inLink = (name: string): string => (name.includes(':') ? `[${name}]` : name)

const listeningOf = ({ host, name, fingerprint }: PhoneCertificate, port: number): PhoneListening => ({
  host,
  port,
  origin: new URL(`https://${inLink(name)}:${port}`).origin,
  fingerprint,
})

function open(
  { host, key, cert }: PhoneCertificate,
  port: number,
  name: () => string,
  deps: PhoneListenerDeps,
): Promise<Server> {
  const foreign = ({ headers, socket }: IncomingMessage) =>
    refuseForeign(headers.host, headers.origin, socket.localAddress, [...deps.allowedHosts(), inLink(name())])
  const server = createServer({ ...limits, key, cert, minVersion: 'TLSv1.2' }, (req, res) => {
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

function whyNot(host: string, port: number, error: unknown): ProblemReport {
  if (OnwardError.isInstance(error)) return { code: error.code, said: error.message, facts: factsOf(error.details) }
  switch (systemCodeOf(error)) {
    case 'EADDRNOTAVAIL':
      return {
        code: 'phone-address-gone',
        said: `This machine does not have the address ${host} now. Choose another one, or none.`,
        facts: { host },
      }
    case 'EADDRINUSE':
      return {
        code: 'phone-port-taken',
        said: `Another program listens on ${host}:${port}. Choose another phone.port in the config.`,
        facts: { at: `${host}:${port}` },
      }
    default: {
      const why = messageOf(error)
      const facts = { at: `${host}:${port}`, why }
      return { code: 'phone-port-failed', said: `Phones can’t be served at ${host}:${port}: ${why}.`, facts }
    }
  }
}
