import type { ScreenClue } from '../../../../shared/events.ts'
import { linesOf, textOf, type ScreenView } from '../screen/view.ts'

/** Names in a word what the screen shows instead of an input line; only the sign is taken from the screen. */
export interface SeenInstead {
  seen: ScreenClue
  sign?: string
}

/** The rows that a menu or a dialog ends with; those above are conversation, which may quote anything. */
const endRows = 12

const numbered = /^[\s│┃|]*(?:[❯›▶●◉○>*]\s*)?\d+[.)]\s+\S/u
const pointedNumber = /^[\s│┃|]*[❯›▶●◉>*]\s*\d+[.)]\s/u
const keysOfAMenu = /[↑↓]|\b(?:enter|return|esc|tab|space)\b.{0,3}\b(?:to|select|confirm|cancel|back|close)\b/i
const pointed = /^[\s│┃|]*[❯›▶●◉]\s+\S/u
const asks = /\?\s*(?:[[(].{1,12}[\])]:?)?$|[[(]y(?:es)?\/no?[\])]|\bpress (?:any key|enter|return)\b/i
const shellPrompt = /(?:^|\s|\w|[)\]~])[$#%]$/
/** one sign and a space in front of the cursor, in a box or not */
const signed = /^[\s│┃|]*([^\p{L}\p{N}\p{M}\p{C}\s│┃|─━═▀▄█])[\s\u00a0]/u

/**
 * Says why the screen was not recognised, as far as its shape shows. `hasComposer`: an input line is there, elsewhere.
 */
export function clueOf(view: ScreenView, hasComposer: boolean): SeenInstead {
  const lines = linesOf(view).filter((line) => line.trim() !== '')
  const end = lines.slice(-endRows)
  const last = end.at(-1)
  if (last === undefined) return { seen: 'blank' }
  if (hasComposer) return { seen: 'cursor' }
  if (end.filter((line) => numbered.test(line)).length > 1 && end.some((line) => pointedNumber.test(line)))
    return { seen: 'menu' }
  const atCursor = textOf(view.rows[view.cursor.y])
  const sign = signed.exec(`${atCursor} `)?.[1]
  const pointers = end.filter((line) => pointed.test(line)).length
  if (pointers > 0 && end.slice(-3).some((line) => keysOfAMenu.test(line))) return { seen: 'menu' }
  if (asks.test(last)) return { seen: 'question' }
  if (shellPrompt.test(last.trimEnd()) && atCursor === last) return { seen: 'shell-prompt' }
  return sign !== undefined && view.cursor.x > atCursor.indexOf(sign) ? { seen: 'sign', sign } : { seen: 'text' }
}
