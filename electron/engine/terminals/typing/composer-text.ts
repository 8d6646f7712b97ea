import { MOST_OF_THE_END } from '../agents/composer.ts'
import type { Composer, SmallPlace } from '../agents/types.ts'

/**
 * A composer shows a text wrapped, indented, sometimes scrolled; terminals disagree about the width of emoji and draw
 * `_` or nothing for what they don't know (tmux). So only common letters, digits and signs are compared, in order.
 */
const notCompared = /[^\p{L}\p{N}\p{P}\p{Sm}\p{Sc}]|[_\u{10000}-\u{10ffff}]/gu

/** White space is not compared: so much of a text's cells are letters and signs, at the least. */
const COMPARED_SHARE = 0.75

const compared = (text: string): string => text.normalize('NFC').replace(notCompared, '')

/**
 * This text and nothing else stands there. Of a long text the end is enough: a composer scrolls. In a small pane less of
 * it is enough, where the whole text has no room: one that has would be shown whole, or its beginning was lost.
 */
export function sameInComposer(composer: string, text: string, small?: SmallPlace): boolean {
  const shown = compared(composer)
  const wanted = compared(text)
  if (shown === wanted) return true
  if (!wanted.endsWith(shown)) return false
  if (shown.length >= MOST_OF_THE_END) return true
  return small !== undefined && shown.length >= small.enough && wanted.length > small.cells * COMPARED_SHARE
}

/** The composer holds exactly this text, or the client's stand-in for a paste. */
export const holdsText = (composer: Composer, text: string): boolean =>
  composer.kind === 'paste' || (composer.kind === 'text' && sameInComposer(composer.text, text, composer.small))

/** The text is in there, perhaps with more that a person wrote. */
export const holdsPart = (composer: Composer, text: string): boolean =>
  holdsText(composer, text) || (composer.kind === 'text' && compared(composer.text).includes(compared(text)))

/** so much of its beginning is no chance */
const enoughOfTheStart = 8

/** What stands there is ours alone: the whole text, or what is left of it while it is taken out from its end. */
export function isRestOf(composer: Composer, text: string, begun: boolean): boolean {
  if (holdsText(composer, text)) return true
  if (composer.kind !== 'text') return false
  const [shown, wanted] = [compared(composer.text), compared(text)]
  return begun ? wanted.includes(shown) : shown.length >= enoughOfTheStart && wanted.startsWith(shown)
}
