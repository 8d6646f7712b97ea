import { createHash, timingSafeEqual } from 'node:crypto'

/** One of `server.keys`: the text, or what is kept of one that was shown once. */
export type LocalKey = string | { alias: string; sha256: string; ends: string }

/** Compares with every key, in a time that does not tell how much of one was right. */
export function isLocalKey(given: string, keys: readonly LocalKey[]): boolean {
  if (keys.length === 0) return false
  const text = Buffer.from(given)
  // Asked of every request, and most configs hold no hashes.
  const hashed = keys.some((key) => typeof key !== 'string') ? Buffer.from(hashOf(given)) : text
  let found = false
  for (const key of keys) {
    const [known, candidate] = typeof key === 'string' ? [Buffer.from(key), text] : [Buffer.from(key.sha256), hashed]
    if (known.length === candidate.length && timingSafeEqual(known, candidate)) found = true
  }
  return found
}

/** Of everyone that may call: none of them is a provider's. */
export const callersKeys = ({ server, mcp }: Record<'server' | 'mcp', { keys: readonly LocalKey[] }>) =>
  mcp.keys.length === 0 ? server.keys : [...server.keys, ...mcp.keys]

/** Those whose text the config holds. */
export const textsOf = (keys: readonly LocalKey[]): readonly string[] => keys.filter((key) => typeof key === 'string')

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
