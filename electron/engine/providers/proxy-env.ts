import { OnwardError } from '../base/errors.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the HTTP proxy for an address by the usual environment variables (lower case before upper, `NO_PROXY` as curl
 * reads it), or null for a direct connection. Loopback is never proxied: requests for a local model must not leave the
 * machine.
 * @throws OnwardError `upstream-unreachable` for a proxy that can't be used: going round it silently would be worse
 */
export function proxyFor(url: URL, env: Env): URL | null {
  if (isLoopback(url.hostname) || excepted(url, read(env, 'no_proxy'))) return null
  const variable = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const named = read(env, variable)
  if (named === '') return null
  const text = named.includes('://') ? named : `http://${named}`
  const proxy = URL.canParse(text) ? new URL(text) : null
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  throw new OnwardError(
    'upstream-unreachable',
    `The proxy named by ${variable.toUpperCase()} can't be used: it must be an http:// or https:// address.`,
    { status: 502 },
  )
}

const read = (env: Env, name: string): string => env[name] || env[name.toUpperCase()] || ''

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function excepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true
      const parts = /^(\[[^\]]+\]|[^:]+|.*:.*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase())
      if (!parts?.[1] || (parts[2] !== undefined && parts[2] !== port)) return false
      const name = parts[1].replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
      return host === name || host.endsWith(`.${name}`)
    })
}
