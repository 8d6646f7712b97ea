/**
 * Pattern of a JSON string with a visible character, from its opening quote on. White space alone shows nothing, and
 * Anthropic refuses it in the next request ("text content blocks must contain non-whitespace text").
 */
export const solidText = '"(?:\\\\[nrt]|\\s)*(?:[^"\\\\\\s]|\\\\[^nrt])'

/** Pattern of a JSON string without a visible character. */
export const blankText = '"(?:\\\\[nrt]|\\s)*"'
