/**
 * Host and Origin. A web page that rebinds its DNS name to 127.0.0.1 still sends its own name as Host, and a page on
 * another origin still sends its Origin: both are refused before anything else happens.
 */
import { isIP } from 'node:net'

export interface Refusal {
  status: number
  code: string
  message: string
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)(?::(\d{1,5}))?$/

/**
 * @param allowedHosts names as in the config: `name` for any port, `name:port` for one
 * @param localAddress address the connection came in on: an address typed as such can't have been rebound
 */
export function refuseForeign(
  host: string | undefined,
  origin: string | undefined,
  localAddress: string | undefined,
  allowedHosts: readonly string[],
): Refusal | null {
  const at = host?.toLowerCase() ?? ''
  if (!isOwnHost(at, localAddress, allowedHosts)) {
    return {
      status: 403,
      code: 'foreign-host',
      message:
        `Onward does not answer to the host name "${shown(host)}". If ` +
        'it is meant to, add it to server.allowedHosts in the config.',
    }
  }
  if (origin !== undefined && !isOwnOrigin(origin.toLowerCase(), at, allowedHosts)) {
    return {
      status: 403,
      code: 'foreign-origin',
      message:
        `A page of "${shown(origin)}" may not talk to Onward. If it is meant ` +
        'to, add its host and port to server.allowedHosts in the config.',
    }
  }
  return null
}

function isOwnHost(at: string, localAddress: string | undefined, allowedHosts: readonly string[]): boolean {
  const parts = hostForm.exec(at)
  const name = parts?.[1]
  if (name === undefined) return false
  if (loopbackName.test(name)) return true
  if (isAllowed(at, name, allowedHosts)) return true
  if (localAddress === undefined) return false
  const bare = name.startsWith('[') ? name.slice(1, -1) : name
  return isIP(bare) !== 0 && bare === localAddress.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

/** Own origin: the very host and port the request was sent to. Another port of this machine is another origin. */
function isOwnOrigin(origin: string, host: string, allowedHosts: readonly string[]): boolean {
  const at = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  const name = at === undefined ? undefined : hostForm.exec(at)?.[1]
  if (at === undefined || name === undefined) return false
  return at === host || isAllowed(at, name, allowedHosts)
}

const isAllowed = (at: string, name: string, allowedHosts: readonly string[]): boolean =>
  allowedHosts.some((allowed) => {
    const a = allowed.toLowerCase()
    return a === at || a === name
  })

const shown = (text: string | undefined): string => (text === undefined ? '' : text.slice(0, 100))
