import { splice, type Edit } from './json-bytes/index.ts'
import type { RequestLens } from './types.ts'

/** Edits that replace the user texts `change` gives back differently; nothing but their string tokens. */
export function userTextEdits(
  lens: RequestLens,
  change: (text: string, isLastMessage: boolean) => string,
  mayChange: (token: Buffer) => boolean = () => true,
): Edit[] {
  const edits: Edit[] = []
  const last = lens.lastMessage()?.index
  for (const at of lens.userTexts()) {
    if (!mayChange(lens.body.subarray(at.start, at.end))) continue
    const text = at.text()
    const changed = change(text, at.messageIndex === last)
    // JSON.stringify writes lone surrogates as escapes, so they stay what they were.
    if (changed !== text) edits.push({ start: at.start, end: at.end, replacement: JSON.stringify(changed) })
  }
  return edits
}

/**
 * The body with changed user texts, every other byte as it was; the same Buffer when nothing changed.
 * @example editUserTexts(lens, stripUserText, mayHoldMarker)
 */
export function editUserTexts(
  lens: RequestLens,
  change: (text: string, isLastMessage: boolean) => string,
  mayChange?: (token: Buffer) => boolean,
): Buffer {
  return splice(lens.body, userTextEdits(lens, change, mayChange))
}
