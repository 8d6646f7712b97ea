import type { MarkerHeldWhy } from '../../../shared/events.ts'
import type { MarkerSpan, ParseOptions } from './types.ts'

const whole = { first: true, last: true }

/** Why a marker does not act where it stands; null: it does. */
export function whyHeld(
  { where, first, last }: Pick<MarkerSpan, 'where' | 'first' | 'last'>,
  { part = whole, anywhere = false }: Pick<ParseOptions, 'part' | 'anywhere'>,
): MarkerHeldWhy | null {
  if (where === 'quoted') return 'quoted'
  if (anywhere) return null
  if (where === 'pasted') return first || last ? null : 'in-paste'
  return (first && part.first) || (last && part.last) ? null : 'in-middle'
}
