import { createHash, timingSafeEqual } from 'node:crypto'
import type { Random } from '../../base/ids.ts'

/** Lets a person see what it is, and lets logs be searched for a key that slipped in. */
export const keyPrefix = 'owk_'

/** A local key of one terminal: authenticates its client and names the terminal. */
export const mintKey = (random: Random): string => `${keyPrefix}${random.token(24)}`

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
