import { stripUserText } from '../markers/index.ts'
import { editUserTexts } from '../protocol/edit-texts.ts'
import { mayHoldMarker } from '../protocol/may-hold-marker.ts'
import type { Turn } from './turn.ts'

/** Takes the markers out of every user text, history included, by one pure function: the provider never sees one (spec 01). */
export function strip(turn: Turn): void {
  if (mayHoldMarker(turn.body)) turn.body = editUserTexts(turn.lens, stripUserText)
}
