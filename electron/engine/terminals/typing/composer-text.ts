import type { Composer } from '../agents/types.ts'

/**
 * A composer shows a text wrapped, indented, sometimes scrolled; terminals disagree about the width of emoji and draw
 * `_` or nothing for what they don't know (tmux). So only common letters, digits and signs are compared, in order.
 */
const notCompared = /[^\p{L}\p{N}\p{P}\p{Sm}\p{Sc}]|[_\u{10000}-\u{10ffff}]/gu

/** shorter than this, a scrolled-off beginning is not believed */
const enoughOfTheEnd = 200

const compared = (text: string): string => text.normalize('NFC').replace(notCompared, '')

/** This text and nothing else stands there. Of a long text the end is enough: a composer scrolls. */
export function sameInComposer(composer: string, text: string): boolean {
  const shown = compared(composer)
  const wanted = compared(text)
  if (shown === wanted) return true
  return shown.length >= enoughOfTheEnd && wanted.endsWith(shown)
}

/** The composer holds exactly this text, or the client's stand-in for a paste. */
export const holdsText = (composer: Composer, text: string): boolean =>
  composer.kind === 'paste' || (composer.kind === 'text' && sameInComposer(composer.text, text))

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
