/**
 * Returns the names in a `connection` header, in lower case: meant for this one connection alone (RFC 9110, 7.6.1).
 * Returns null where it only says how long the connection lives, as nearly all do.
 */
export function hopHeaders(connection: string | string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null
  return new Set(
    String(connection)
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}
