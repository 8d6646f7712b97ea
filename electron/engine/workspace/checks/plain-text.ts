// CSI, OSC and the like (ended by BEL or ST), two-character escapes. One that is not ended takes nothing with it.
const sequences =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g

/**
 * Converts a program's output to plain text: no escape sequences, no other control characters, and of a line that was
 * redrawn only its last state.
 */
export const plainText = (output: string): string =>
  output
    .replace(sequences, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?=[^\n])/gm, '')
    .replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
