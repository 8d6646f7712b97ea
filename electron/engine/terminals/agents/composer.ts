import type { Cell, Color, ScreenView } from '../screen/view.ts'
import type { Suggestion } from './suggestion.ts'
import { STAND_IN, type Composer, type ComposerPlace, type ScreenFacts } from './types.ts'

/**
 * White space of any kind, and the characters without width that clients put after their cursor (Qwen Code: U+200B).
 */
const unseen = /[\s\p{Cf}]+$/u

/** A long draft is scrolled, and an arrow in the last column says so (Codex). */
const withoutArrow = (row: readonly Cell[]): readonly Cell[] =>
  /^[↑↓]$/.test(row.at(-1)?.char ?? '') ? row.slice(0, -1) : row

/** Reads the content of the composer. Text is ghost text only while the cursor stands at its beginning. */
export function readComposer(
  view: ScreenView,
  place: ComposerPlace,
  facts: ScreenFacts,
  suggestion: Suggestion | null,
): Composer {
  const composer = composerOf(view, place, facts)
  if (composer.kind === 'empty') suggestion?.cleared()
  if (composer.kind !== 'text' || !suggestion) return composer
  const ghost = { text: composer.text, cursorAtStart: atStart(view, place), plain: isPlain(view, place) }
  return suggestion.isGhost(ghost) ? { kind: 'empty' } : composer
}

const atStart = (view: ScreenView, place: ComposerPlace): boolean =>
  view.cursor.y === place.top && view.cursor.x === place.left

/** From the composer's edge on nothing is dim or coloured: a client that draws so has no way to mark ghost text. */
const isPlain = (view: ScreenView, place: ComposerPlace): boolean =>
  view.rows.slice(Math.max(0, place.top - 1)).every((row) => row.every((cell) => cell.color === null && !cell.dim))

function composerOf(view: ScreenView, place: ComposerPlace, facts: ScreenFacts): Composer {
  const rows = view.rows.slice(place.top, place.bottom + 1).map((row) => row.slice(place.left, place.right))
  const text = rows
    .map((row) =>
      withoutArrow(row)
        .map((cell) => cell.char)
        .join('')
        .replace(unseen, ''),
    )
    .join('\n')
    .replace(unseen, '')
  // blanks that a person typed are a draft: only the cursor shows the difference
  if (text.trim() === '') return atStart(view, place) ? { kind: 'empty' } : { kind: 'text', text: ' ' }
  if (atStart(view, place) && (facts.placeholder?.test(text.trim()) || isGhostText(rows, facts.ghostColors)))
    return { kind: 'empty' }
  const shown = facts.pasteStandIn ? text.replace(anywhere(facts.pasteStandIn), STAND_IN) : text
  if (shown.replaceAll(STAND_IN, '').trim() === '') return { kind: 'paste' }
  const screen = view.rows.reduce((cells, row) => cells + row.length, 0)
  return { kind: 'text', text: shown, room: { rows: rows.length, cols: rows[0]?.length ?? 0, screen } }
}

/** Matches a stand-in among other words, as for a paste that came in pieces; a composer wraps it. */
const anywhere = ({ source }: RegExp): RegExp => new RegExp(source.replace(/^\^|\$$/g, '').replaceAll(' ', '\\s+'), 'g')

/** The first cell is left out: it is drawn as the cursor. A draft of one letter is therefore no ghost text. */
function isGhostText(rows: readonly (readonly Cell[])[], colors: readonly Color[]): boolean {
  const drawn = rows.flatMap((row, y) => row.filter((cell, x) => (x > 0 || y > 0) && cell.char.trim() !== ''))
  return drawn.length > 0 && drawn.every((cell) => cell.dim || colors.some((color) => sameColor(color, cell.color)))
}

function sameColor(one: Color, other: Color | null): boolean {
  if (other === null) return false
  return 'rgb' in one ? 'rgb' in other && one.rgb === other.rgb : 'palette' in other && one.palette === other.palette
}

/** True if the cursor is inside the composer, where a person would write. */
export const holdsCursor = (view: ScreenView, place: ComposerPlace): boolean =>
  view.cursor.y >= place.top && view.cursor.y <= place.bottom && view.cursor.x >= place.left
