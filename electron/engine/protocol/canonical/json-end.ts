/**
 * Tells when a JSON object that comes in pieces is whole, in constant memory. `cut`: it has begun and has not ended;
 * text that is no JSON at all is not cut.
 */
export function jsonEnd(): { push(piece: string): void; whole(): boolean; cut(): boolean } {
  let depth = 0
  let begun = false
  let inString = false
  let escaped = false
  return {
    push(piece) {
      for (let i = 0; i < piece.length; i++) {
        const sign = piece.charCodeAt(i)
        if (inString) {
          if (escaped) escaped = false
          else if (sign === 92) escaped = true
          else if (sign === 34) inString = false
        } else if (sign === 34) inString = true
        else if (sign === 123 || sign === 91) {
          depth++
          begun = true
        } else if (sign === 125 || sign === 93) depth--
      }
    },
    whole: () => begun && depth <= 0 && !inString,
    cut: () => inString || depth > 0,
  }
}

/** True if a text is the beginning of a JSON value whose end is missing. */
export function isCutOff(text: string): boolean {
  const end = jsonEnd()
  end.push(text)
  return end.cut()
}
