import { STAND_IN, type Composer } from '../agents/types.ts'
import type { ComposerRoom } from '../types.ts'

/**
 * A composer shows a text wrapped, indented, sometimes scrolled; terminals disagree about the width of emoji and draw
 * `_` or nothing for characters they don't know (tmux); some letters are drawn nowhere (U+3164). So only common
 * letters, digits and signs are compared, in order.
 */
const notCompared = /[^\p{L}\p{N}\p{P}\p{Sm}\p{Sc}]|\p{Default_Ignorable_Code_Point}|[_\u{10000}-\u{10ffff}]/gu

/** Shorter than this, a scrolled-off beginning is not believed: in a usual pane, and in the smallest. */
const enoughOfTheEnd = { usual: 200, least: 24 }
/**
 * A composer is a small part of its screen: at 40x10 it shows a row or a few, so 25 letters are what can be asked for.
 */
const cellsPerCharacter = 16
/** letters that take two columns */
const wide = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/gu

const compared = (text: string): string => text.normalize('NFC').replace(notCompared, '')

/**
 * True if this text and nothing else stands there. The end of a long text is enough: a composer scrolls. In a small
 * pane less of it is enough, if the whole text has no room: one that has would be shown whole, or its beginning was
 * lost.
 */
export function sameInComposer(composer: string, text: string, room?: ComposerRoom): boolean {
  const wanted = compared(text)
  const pieces = composer.split(STAND_IN).map(compared)
  if (pieces.length > 1) return standInOrder(pieces, wanted)
  const shown = compared(composer)
  if (shown === wanted) return true
  if (!wanted.endsWith(shown)) return false
  if (shown.length >= enoughOfTheEnd.usual) return true
  return (
    room !== undefined &&
    shown.length >= Math.max(enoughOfTheEnd.least, Math.floor(room.screen / cellsPerCharacter)) &&
    rowsOf(text, room.cols) > room.rows
  )
}

/** A stand-in may stand for anything: what is shown around it is the text's beginning, its end, and in order. */
function standInOrder(pieces: readonly string[], wanted: string): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  let from = first.length
  if (!wanted.startsWith(first)) return false
  for (const piece of pieces.slice(1, -1)) {
    const at = wanted.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return wanted.length - last.length >= from && wanted.endsWith(last)
}

/** How many rows it takes, wrapped between words as composers do. */
function rowsOf(text: string, cols: number): number {
  let rows = 0
  for (const line of text.split('\n')) {
    rows++
    let used = 0
    for (const word of line.split(' ')) {
      const cells = word.length + (word.match(wide)?.length ?? 0)
      if (used > 0 && used + cells > cols) {
        rows++
        used = 0
      }
      rows += Math.floor(Math.max(0, cells - 1) / cols)
      used += cells + 1
    }
  }
  return rows
}

/** The composer holds exactly this text, or the client's stand-in for a paste. */
export const holdsText = (composer: Composer, text: string): boolean =>
  composer.kind === 'paste' || (composer.kind === 'text' && sameInComposer(composer.text, text, composer.room))

/** The text is in there, perhaps with more that a person wrote. */
export const holdsPart = (composer: Composer, text: string): boolean =>
  holdsText(composer, text) || (composer.kind === 'text' && compared(composer.text).includes(compared(text)))

/** so many letters are no coincidence */
const enoughOfIt = 8

/** Nothing but blanks: a person's, or the one that shows how far an agent has read. */
export const isBlank = (composer: Composer): boolean => composer.kind === 'text' && compared(composer.text) === ''

/** A piece of it and nothing else: an agent draws it bit by bit, or lost the rest. */
export function isPieceOf(composer: Composer, text: string): boolean {
  if (composer.kind !== 'text') return false
  const shown = compared(composer.text)
  return shown.length >= enoughOfIt && compared(text).includes(shown)
}

/** A state that a text of ours, never seen whole, may show, and that holds nothing of a person's. */
export const isLate = (composer: Composer, text: string): boolean => isBlank(composer) || isPieceOf(composer, text)

/** True if the composer holds only our text: the whole, or the rest of it while it is taken out from its end. */
export function isRestOf(composer: Composer, text: string, begun: boolean): boolean {
  if (holdsText(composer, text)) return true
  if (composer.kind !== 'text') return false
  const [shown, wanted] = [compared(composer.text), compared(text)]
  return begun ? wanted.includes(shown) : shown.length >= enoughOfIt && wanted.startsWith(shown)
}
