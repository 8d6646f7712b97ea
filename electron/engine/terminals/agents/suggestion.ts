/**
 * A client asks a model for the person's likely next message and shows the answer in its composer as ghost text (Qwen
 * Code 0.24.4, Claude Code 2.1.330). If it draws without colours (NO_COLOR, CI), that looks like a draft, character for
 * character. But the answer went through Onward, so its words are known; and the cursor stands before ghost text, but
 * after a suggestion that was accepted. A text that a person has touched since is their draft, whatever it says.
 */
export interface Suggestion {
  /** the client was given this answer; null: a new turn, the earlier suggestion is over */
  suggested(text: string | null): void
  /** a person pressed a key */
  touched(): void
  /** Reads a composer that is not empty by any other sign. @returns true if it holds only the suggestion */
  isGhost(composer: { text: string; cursorAtStart: boolean; plain: boolean }): boolean
  /** the composer was seen empty: a person's changes to it are over */
  cleared(): void
}

/** A client shows nothing longer: Qwen Code asks for 12 words at most. */
const longest = 400

/** A composer wraps a text where it likes. */
const folded = (text: string): string => text.replace(/\s+/g, '')

export function createSuggestion(): Suggestion {
  let words: string | null = null
  let taken = false
  return {
    suggested(text) {
      words = text === null || text.trim() === '' || text.length > longest ? null : folded(text)
      taken = false
    },
    touched() {
      taken = true
    },
    isGhost({ text, cursorAtStart, plain }) {
      if (words === null || !plain) return false
      if (!cursorAtStart || folded(text) !== words) taken = true
      return !taken
    },
    cleared() {
      taken = false
    },
  }
}
