const quote = 0x22,
  leftQuote = 0x201c,
  rightQuote = 0x201d,
  backslash = 0x5c,
  star = 0x2a,
  less = 0x3c,
  greater = 0x3e

/** `<**` at this offset? */
export const opensMarker = (text: string, at: number): boolean =>
  text.charCodeAt(at) === less && text.charCodeAt(at + 1) === star && text.charCodeAt(at + 2) === star

/**
 * End of the marker that opens at `start`, or null when it is never closed. Inside quotes `**>` is plain text and `\"`
 * is a quote; but a quote that is never closed counts as left open by mistake, and the first `**>` in it is the end. A
 * `<**` anywhere ends the search, which also keeps a scan linear.
 */
export function markerEnd(text: string, start: number, limit: number): number | null {
  /** the sign that ends the quote we are in, 0 outside quotes */
  let closes = 0
  /** the first end that a quote hides */
  let quoted: number | null = null
  for (let i = start + 3; i < limit; i++) {
    const c = text.charCodeAt(i)
    if (c === less && opensMarker(text, i)) return quoted
    if (c === star && text.charCodeAt(i + 1) === star && text.charCodeAt(i + 2) === greater && i + 3 <= limit) {
      if (closes === 0) return i + 3
      quoted ??= i + 3
    } else if (c === backslash && closes !== 0 && text.charCodeAt(i + 1) === quote) i++
    else if (closes !== 0) {
      if (c === closes) closes = 0
    } else if (c === quote) closes = quote
    else if (c === leftQuote || c === rightQuote) closes = rightQuote
  }
  return quoted
}
