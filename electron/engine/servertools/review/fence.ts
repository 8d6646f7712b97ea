import type { Random } from '../../base/ids.ts'
import { withoutMarkers } from './shorten.ts'

/**
 * Wraps texts for a reviewer so that it sees where data ends. Made anew for each review: a text written before can't
 * close it.
 */
export interface Fence {
  mark: string
  wrap(what: string, text: string): string
  /** characters it adds to a text */ extra(what: string): number
}

export function createFence(random: Random): Fence {
  const mark = random.token(9)
  const wrap = (what: string, text: string) =>
    `--- data ${mark}: ${what} ---\n${withoutMarkers(text).replaceAll(mark, '')}\n--- end ${mark} ---`
  return { mark, wrap, extra: (what) => wrap(what, '').length }
}
