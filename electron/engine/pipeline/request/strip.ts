import { stripUserText } from '../../markers/index.ts'
import { mayHoldMarker, userTextEdits } from '../../protocol/index.ts'
import type { Turn } from '../turn.ts'

/**
 * Takes the markers out of every user text, history included, by one pure function: the provider never sees one (spec
 * 01).
 */
export function strip(turn: Turn): void {
  const { lens } = turn.draft
  if (mayHoldMarker(lens.body)) turn.draft = { ...turn.draft, edits: userTextEdits(lens, stripUserText, mayHoldMarker) }
}
