/**
 * Pattern of a JSON string with a visible character, from its opening quote on. White space alone shows nothing, and
 * Anthropic refuses it in the next request ("text content blocks must contain non-whitespace text").
 */
export const solidText = '"(?:\\\\[nrt]|\\s)*(?:[^"\\\\\\s]|\\\\[^nrt])'

/** Pattern of a JSON string without a visible character. */
export const blankText = '"(?:\\\\[nrt]|\\s)*"'

/**
 * An answer without content is never larger, even where it repeats the instructions and all tools of its request: it
 * need not be read to be told apart.
 */
export const mostEmptyBytes = 2 * 1024 * 1024
