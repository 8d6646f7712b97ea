/**
 * Whether the bytes of a JSON document can hold `<**` in one of its texts, written plainly or with escapes. A few
 * native searches, so that a request without markers is never walked; `true` only means that it is worth a look.
 */
export function mayHoldMarker(json: Buffer): boolean {
  if (json.includes('<**')) return true
  for (let at = json.indexOf(escapeStart); at >= 0; at = json.indexOf(escapeStart, at + 4)) {
    const code = json.toString('latin1', at + 4, at + 6).toLowerCase()
    // Programs that escape `<` in every JSON they write are common, ones that escape `*` are not.
    if (code === '2a') return true
    if (code === '3c' && json.toString('latin1', at + 6, at + 8) === '**') return true
  }
  return false
}

/** Bytes that begin every escape of an ASCII sign. */
const escapeStart = '\\u00'
