import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type V4 = ReturnType<typeof ipaddr.IPv4.parse>
type V6 = ReturnType<typeof ipaddr.IPv6.parse>

/**
 * Azure's host agent answers with credentials at an address out of a public range (learn.microsoft.com, “IP address
 * 168.63.129.16”).
 */
const METADATA_IN_PUBLIC_RANGES = new Set(['168.63.129.16'])

/**
 * NAT64 by its well-known prefix (RFC 6052); in 64:ff9b:1::/48 (RFC 8215) the place of the IPv4 address is not known.
 */
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** the only IPv6 addresses that are assigned for public use (RFC 4291, IANA) */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const isV4 = (address: V4 | V6): address is V4 => address.kind() === 'ipv4'

/** The kind of an address that is not public; null: it is public. */
export function notPublic(address: string): string | null {
  if (isIP(address) === 0) return 'no address'
  const parsed = ipaddr.parse(inHex(address))
  return isV4(parsed) ? v4NotPublic(parsed) : v6NotPublic(parsed)
}

/** ipaddr.js takes the dotted `::1.2.3.4` for the mapped `::ffff:1.2.3.4`, which it is not; in hex it does not. */
const inHex = (address: string): string =>
  address.includes(':') && address.includes('.') && !address.includes('%')
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address

function v4NotPublic(address: V4): string | null {
  if (METADATA_IN_PUBLIC_RANGES.has(address.toString())) return 'metadata'
  const range = address.range()
  return range === 'unicast' ? null : range
}

function v6NotPublic(address: V6): string | null {
  if (address.zoneId !== undefined) return 'zone'
  const inside = embedded(address)
  if (inside !== null) return v4NotPublic(inside)
  const range = address.range()
  if (range !== 'unicast') return range
  return address.match(globalUnicast) ? isatap(address) : 'reserved'
}

/**
 * An address of this machine, public or not, in any form: what listens on all of its addresses may be meant for those
 * on loopback only. @param own its interfaces' addresses
 */
export function isOwn(address: string, own: readonly string[]): boolean {
  const wanted = endOf(address)
  return wanted !== null && own.some((one) => endOf(one) === wanted)
}

/** The address a packet ends at, in one spelling. */
function endOf(address: string): string | null {
  if (isIP(address) === 0) return null
  const parsed = ipaddr.parse(inHex(address.replace(/%.*$/, '')))
  return (isV4(parsed) ? parsed : (embedded(parsed) ?? parsed)).toNormalizedString()
}

/** The IPv4 address a packet to this one ends at. */
function embedded(address: V6): V4 | null {
  const { parts } = address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(wellKnownNat64)) return fromParts(parts[6], parts[7])
  return address.range() === '6to4' ? fromParts(parts[1], parts[2]) : null
}

/** Below any prefix, …:0:5efe:a.b.c.d is a tunnel to an IPv4 address (RFC 5214). */
function isatap({ parts }: V6): string | null {
  const tunnels = parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)
  return tunnels ? v4NotPublic(fromParts(parts[6], parts[7])) : null
}

const fromParts = (high = 0, low = 0): V4 => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
