import { textOf, type ScreenView } from '../screen/view.ts'
import type { ComposerPlace } from './types.ts'

/**
 * A composer whose upper edge has scrolled off the screen, alone or with its prompt: its text, indented, stands in
 * every row from the first on, down to the lower edge, and the cursor is in it. It is never taken for an empty one.
 */
export function tallerThanScreen(
  view: ScreenView,
  { indent, prompt, edge }: { indent: number; prompt: RegExp; edge: RegExp },
): ComposerPlace | null {
  const end = view.rows.findIndex((row) => edge.test(textOf(row)))
  const rows = view.rows.slice(0, Math.max(0, end))
  const isText = rows.every((row, y) => {
    const before = textOf(row, 0, indent)
    return before === '' || (y === 0 && prompt.test(before))
  })
  const first = textOf(rows[0], indent).trim()
  return first !== '' && isText && view.cursor.y < end ? { top: 0, bottom: end - 1, left: indent } : null
}
