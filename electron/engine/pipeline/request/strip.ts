import { stripUserText } from '../../markers/index.ts'
import { mayHoldMarker, userTextEdits } from '../../protocol/index.ts'
import type { Turn } from '../turn.ts'

/**
 * Takes the markers out of every user text, history included, by one pure function: the provider never sees one (spec
 * 01).
 */
export function strip(turn: Turn): void {
  if (mayHoldMarker(turn.lens.body)) turn.edits = userTextEdits(turn.lens, stripUserText, mayHoldMarker)
}
