import type { SecretPlace } from '../../../shared/secrets/secrets.ts'
import { messageOf, OnwardError } from '../base/errors.ts'

/** A secret that is not where it belongs. */
export interface Unmoved {
  name: string
  /** `copy`: it counts in its new place, and a copy is left */
  kind: 'secret' | 'copy'
  /** where it lies */
  place: SecretPlace
  error: unknown
}

/** The secrets that a move left, by name. */
export function unmovedError(to: SecretPlace, unmoved: readonly Unmoved[]): OnwardError {
  const named = (kind: Unmoved['kind']) => [...new Set(unmoved.filter((one) => one.kind === kind).map((u) => u.name))]
  const [secrets, copies] = [named('secret'), named('copy')]
  const first = unmoved[0]
  const why = clauseOf(first?.error)
  const says = [
    secrets.length > 0 ? `Not moved to the ${to}: ${secrets.join(', ')}.` : null,
    copies.length > 0 ? `Still elsewhere as a copy that does not count: ${copies.join(', ')}.` : null,
    `Why: ${why}.`,
    to === 'file' && secrets.length > 0 ? 'New keys go to the file; set these anew there, or move them later.' : null,
    secrets.length === 0 ? 'It is tried again.' : null,
  ]
  return new OnwardError('secrets-unmoved', says.filter((part) => part !== null).join(' '), {
    status: 503,
    details: { to, secrets: secrets.join(', '), copies: copies.join(', '), why },
    cause: first?.error,
  })
}

/** Without its full stop and the advice after it: it becomes a part of a sentence. */
export function clauseOf(error: unknown): string {
  const why = OnwardError.isInstance(error) ? error.details.why : undefined
  return typeof why === 'string' ? why : messageOf(error).replace(/\.$/, '')
}
