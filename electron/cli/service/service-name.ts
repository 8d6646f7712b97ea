import { createHash } from 'node:crypto'

/** One service per home; only the usual home has the plain name. */
export function serviceName(home: string, usualHome: string): string {
  if (home === usualHome) return 'onward'
  return `onward-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`
}
