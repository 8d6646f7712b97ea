import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where a connection is about to go. `host` as `hostOf` gives it. */
export interface Place {
  host: string
  port: number
  address: string
}
/** True if the person permits a place that is not public. */
export type Allow = (place: Place) => boolean

interface Rule {
  port: number | null
  covers(place: Place): boolean
}

/** A host name, an address or a range, each with `:port` or without; IPv6 with a port in brackets. */
const written = /^(?:\[(?<inner>[^\]]+)\](?::(?<port6>\d+))?|(?<plain>[^:]+)(?::(?<port>\d+))?|(?<bare>[^[\]]+))$/

/** An entry that can't be read permits nothing. */
export function readAllow(entries: readonly string[]): Allow {
  const rules = entries.flatMap((entry) => readRule(entry.trim()) ?? [])
  return (place) => rules.some((rule) => (rule.port === null || rule.port === place.port) && rule.covers(place))
}

function readRule(entry: string): Rule | null {
  const parts = written.exec(entry)?.groups
  if (!parts) return null
  const port = parts['port6'] ?? parts['port'] ?? null
  const covers = readCover(parts['inner'] ?? parts['plain'] ?? parts['bare'] ?? '')
  return covers && { port: port === null ? null : Number(port), covers }
}

function readCover(what: string): Rule['covers'] | null {
  if (ipaddr.isValidCIDR(what)) {
    const [network, bits] = ipaddr.parseCIDR(what)
    return ({ address }) => {
      const one = ipaddr.process(address)
      return one.kind() === network.kind() && one.match(network, bits)
    }
  }
  if (isIP(what) !== 0) {
    const only = ipaddr.process(what).toNormalizedString()
    return ({ address }) => ipaddr.process(address).toNormalizedString() === only
  }
  if (!URL.canParse(`http://${what}`)) return null
  const url = new URL(`http://${what}`)
  return url.pathname === '/' && url.username === '' ? ({ host }) => host === hostOf(url) : null
}

/** The host of a URL as it is compared: no brackets, no dot at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
