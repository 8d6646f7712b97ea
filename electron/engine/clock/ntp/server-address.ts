import { isIPv6 } from 'node:net'

export interface ServerAddress {
  host: string
  port: number
}

const usual = 123

/** `host`, `host:port`, `[::1]:port` or a bare IPv6 address; null: none of them. */
export function readServer(text: string): ServerAddress | null {
  const trimmed = text.trim()
  if (isIPv6(trimmed)) return { host: trimmed, port: usual }
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^\s:[\]/@]+))(?::(\d{1,5}))?$/.exec(trimmed) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? usual : Number(digits)
  if (host === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || port < 1 || port > 65_535) return null
  return { host, port }
}
