import { textOf, type ScreenView } from '../screen/view.ts'
import type { ComposerPlace } from './types.ts'

/**
 * A composer whose prompt and upper edge have scrolled off the screen: its text, indented, stands in every row from the
 * first on, down to the lower edge, and the cursor is in it. It is never taken for an empty one.
 */
export function tallerThanScreen(
  view: ScreenView,
  { indent, edge }: { indent: number; edge: RegExp },
): ComposerPlace | null {
  const end = view.rows.findIndex((row) => edge.test(textOf(row)))
  const rows = view.rows.slice(0, Math.max(0, end))
  const isText = rows.every((row) => textOf(row, 0, indent) === '')
  const first = textOf(rows[0]).trim()
  return first !== '' && isText && view.cursor.y < end ? { top: 0, bottom: end - 1, left: indent } : null
}
