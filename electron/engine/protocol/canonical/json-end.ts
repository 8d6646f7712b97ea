/** Tells when a JSON object that comes in pieces is whole, in constant memory. */
export function jsonEnd(): { push(piece: string): void; readonly whole: boolean } {
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
    get whole() {
      return begun && depth <= 0 && !inString
    },
  }
}
