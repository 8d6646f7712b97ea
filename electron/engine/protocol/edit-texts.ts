import type { Edit } from './json-bytes/index.ts'
import type { RequestLens } from './types.ts'

/**
 * Edits that replace the user texts `change` gives back differently; nothing but their string tokens.
 * @example userTextEdits(lens, stripUserText, mayHoldMarker)
 */
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
