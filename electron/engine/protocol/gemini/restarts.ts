/**
 * Finds a second answer in a stream. Gemini has no event that begins an answer, but each chunk has the answer's id.
 * Gateways that make up an id for every chunk, or for the first or the last, never repeat an id in two chunks with
 * content. Once an id was repeated, content under another id is part of another answer.
 */
export function geminiRestarts(): { again(id: string | null, says: boolean): boolean } {
  let current: string | null = null
  let chunks = 0
  let changed = false
  return {
    again(id, says) {
      if (id === null || !says) return false
      if (id === current) {
        chunks++
        return changed
      }
      const steady = chunks > 1
      changed = current !== null
      current = id
      chunks = 1
      return steady
    },
  }
}
