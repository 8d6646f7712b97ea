import { hopHeaders } from './hop-headers.ts'

/**
 * Decides which of the provider's headers reach the client: all of them (rate limits, request ids, retry-after, vendor
 * headers), except those that belong to the other connection or speak for another origin than ours.
 */
const never = new Set([
  // of that connection (RFC 9110, 7.6.1)
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  // a credential, or a request for one: agents act on these headers, and a provider's are not meant for them
  'authorization',
  'www-authenticate',
  'authentication-info',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // of that origin: on loopback they would set cookies, force https or send the client elsewhere
  'set-cookie',
  'set-cookie2',
  'location',
  'content-location',
  'refresh',
  'link',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'content-security-policy',
  'content-security-policy-report-only',
  'report-to',
  'reporting-endpoints',
  'nel',
  'expect-ct',
  'public-key-pins',
])
const neverBeginning = ['access-control-', 'cross-origin-', 'x-onward-']

/**
 * Body bytes are relayed as they are, so `content-encoding` stays true. `content-length` is kept only where the whole
 * body goes by untouched: a stream that Onward may add to must not announce its length.
 */
export function downstreamHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  keepLength = false,
): Record<string, string | string[]> {
  const hop = hopHeaders(headers['connection'])
  const out: Record<string, string | string[]> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? ''
    if (never.has(name) || hop?.has(name) || neverBeginning.some((prefix) => name.startsWith(prefix))) continue
    if (name === 'content-length' && !keepLength) continue
    out[name] = value
  }
  return out
}
