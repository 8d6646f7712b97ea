import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { Client } from '../providers/undici/parts.ts'
import { readUrl } from './admit.ts'
import { hostOf } from './allow.ts'
import { unreachable, refused } from './errors.ts'

export interface HopAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  /** as it came, at most `maxBytes`; of a redirect none */
  packed: Buffer
  cut: boolean
}

interface HopOptions {
  /** checked ones: the connection goes to one of them and is never looked up again */
  addresses: readonly LookupAddress[]
  maxBytes: number
  /** for a connection that is still being made when the time is over: it would hold its socket for minutes */
  connectMs: number
  signal: AbortSignal
  /** PEM certificates trusted beside the system's */
  ca?: string
}

/** One request on a connection of its own: one that is kept could have been opened under another ask's allowance. */
export function hop(step: Step, { addresses, maxBytes, connectMs, signal, ca }: HopOptions): Promise<HopAnswer> {
  const host = hostOf(step.url)
  const origin = new URL(step.url.origin)
  origin.hostname = step.url.hostname.replace(/\.$/, '')
  const client = new Client(origin, {
    // the one clock over all hops counts
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: connectMs,
      lookup: onlyTo(addresses),
      autoSelectFamily: true,
      // Node's 250 ms give up on far hosts.
      autoSelectFamilyAttemptTimeout: 1500,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    },
  })
  return new Promise<HopAnswer>((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    client.dispatch(
      {
        origin: origin.origin,
        path: step.url.pathname + step.url.search,
        method: step.method,
        headers: { ...step.headers, 'accept-encoding': 'gzip, deflate, br' },
        body: step.body,
      },
      gather(maxBytes, resolve, (error) => reject(unreachable(host, error))),
    )
    return undefined
  }).finally(() => client.destroy())
}

function gather(
  maxBytes: number,
  done: (answer: HopAnswer) => void,
  failed: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const kept: Buffer[] = []
  let length = 0
  let status = 0
  let headers: Record<string, string> = {}
  const finish = (cut: boolean): void =>
    done({ status, headers, packed: Buffer.concat(kept, length).subarray(0, maxBytes), cut })
  return {
    onRequestStart() {},
    onResponseStart(_controller, code, given) {
      if (code < 200) return
      status = code
      headers = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) =>
          value === undefined ? [] : [[name.toLowerCase(), String(value)]],
        ),
      )
      if (isRedirect(status, headers['location'])) finish(false)
    },
    onResponseData(_controller, chunk) {
      // The client is destroyed a moment after it is done: later bytes are not kept.
      if (length > maxBytes) return
      kept.push(chunk)
      length += chunk.length
      if (length > maxBytes) finish(true)
    },
    onResponseEnd() {
      finish(false)
    },
    onResponseError(_controller, error) {
      failed(error)
    },
  }
}

/** Answers a connection's lookup with what was checked, so that a name server can't change its mind in between. */
const onlyTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_name, options, done) => {
    const [first] = addresses
    if (options.all || !first) done(null, [...addresses])
    else done(null, first.address, first.family)
  }

/** A request to one host on the way. */
export interface Step {
  url: URL
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | Buffer | null
}

const redirects = new Set([301, 302, 303, 307, 308])
/** Headers that reveal nothing about the person; all others may be keys, and stay with the first origin. */
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirects.has(status) && location !== undefined

/**
 * The target and request of a redirect (Fetch standard, “HTTP-redirect fetch”). Headers that were dropped once don't
 * come back when a redirect leads home again.
 * @throws OnwardError `bad-url` | `address-refused`
 */
export function follow(step: Step, status: number, location: string): Step {
  const url = readUrl(location, step.url)
  if (url.hash === '') url.hash = step.url.hash
  const away = url.origin !== step.url.origin
  const headers = away
    ? Object.fromEntries(Object.entries(step.headers).filter(([name]) => harmless.has(name.toLowerCase())))
    : step.headers
  if (step.method === 'GET' || status === 303 || status === 301 || status === 302)
    return { url, method: 'GET', headers: withoutBody(headers), body: null }
  if (away) throw refused(`${step.url.host} wants what was sent to it to go to ${url.host}: that is not done.`)
  return { ...step, url, headers }
}

const withoutBody = (headers: Step['headers']): Step['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)))
