/**
 * Pattern of a JSON string that holds a sign which can be seen, from its quote on. White space alone shows nothing to
 * anybody, and Anthropic refuses it in the next request ("text content blocks must contain non-whitespace text").
 */
export const solidText = '"(?:\\\\[nrt]|\\s)*(?:[^"\\\\\\s]|\\\\[^nrt])'

/** ... and of one that holds none. */
export const blankText = '"(?:\\\\[nrt]|\\s)*"'
