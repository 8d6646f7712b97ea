import type { Edit } from './json-bytes/index.ts'
import type { RequestLens } from './types.ts'

/**
 * Edits that replace the user texts for which `change` returns another text; nothing but their string tokens.
 * `mayChange` is asked of a whole message, then of each of its tokens.
 * @example userTextEdits(lens, stripUserText, mayHoldMarker)
 */
export function userTextEdits(
  lens: RequestLens,
  change: (text: string) => string,
  mayChange: (bytes: Buffer) => boolean = () => true,
): Edit[] {
  const edits: Edit[] = []
  for (const at of lens.userTexts(mayChange)) {
    if (!mayChange(lens.body.subarray(at.start, at.end))) continue
    const text = at.text()
    const changed = change(text)
    // JSON.stringify writes lone surrogates as escapes, so they stay what they were.
    if (changed !== text) edits.push({ start: at.start, end: at.end, replacement: JSON.stringify(changed) })
  }
  return edits
}
