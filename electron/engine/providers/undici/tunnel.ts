import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as secure, type SecureContextOptions } from 'node:tls'
import type { buildConnector } from 'undici'
import { tunnelRefused } from './errors.ts'

export interface TunnelOptions {
  proxy: URL
  /** `Proxy-Authorization` value */
  authorization: string | null
  tls: SecureContextOptions
  /** for the way to the proxy, and again for the handshake through it; 0 waits for ever */
  connectMs: number
}

/**
 * Opens TLS connections through an HTTP proxy's CONNECT. Not undici's ProxyAgent: when a proxy refuses or hangs up, it
 * asks the proxy again for ever (https://github.com/nodejs/undici/issues/5093).
 */
export function tunnelConnector(options: TunnelOptions): buildConnector.connector {
  const { proxy, authorization, connectMs } = options
  return (target, callback) => {
    let answered = false
    const fail = (error: Error) => {
      if (answered) return
      answered = true
      callback(error, null)
    }
    const host = target.hostname
    const authority = `${host.includes(':') ? `[${host}]` : host}:${target.port || 443}`
    const ask = proxy.protocol === 'https:' ? secureRequest : plainRequest
    const asking = ask({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: authority,
      headers: { host: authority, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
      agent: false,
      timeout: connectMs,
      ...options.tls,
    })
    const late = () => asking.destroy(Object.assign(new Error('The proxy took too long.'), { code: 'ETIMEDOUT' }))
    asking.on('timeout', late)
    asking.on('error', (error) => fail(error))
    asking.on('connect', (response, way: Socket, early) => {
      way.on('error', (error) => fail(error))
      if (response.statusCode !== 200) {
        way.destroy()
        fail(tunnelRefused(`it answered with status ${response.statusCode}.`))
        return
      }
      if (early.length > 0) way.unshift(early)
      way.setTimeout(connectMs, () =>
        way.destroy(Object.assign(new Error('The handshake took too long.'), { code: 'ETIMEDOUT' })),
      )
      const line = secure({
        socket: way,
        servername: target.servername ?? (isAddress(host) ? '' : host),
        ALPNProtocols: ['http/1.1'],
        ...options.tls,
        host,
      })
      line.setNoDelay(true).setKeepAlive(true, 60_000)
      line.on('error', (error) => fail(error))
      line.once('close', () => fail(tunnelRefused('it closed the connection.')))
      line.once('secureConnect', () => {
        way.setTimeout(0)
        if (answered) {
          line.destroy()
          return
        }
        answered = true
        callback(null, line)
      })
    })
    asking.end()
  }
}

const isAddress = (host: string): boolean => host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
