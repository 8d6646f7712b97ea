import type { Frame } from '../answer/frame.ts'

/**
 * Looks for words as whole JSON strings before anything is parsed: a quoted word within a text has a backslash before
 * its quote and is not found. Takes one native search per word.
 */
export function tokenScan(words: Iterable<string>): (bytes: Buffer) => boolean {
  const tokens = Array.from(words, tokenOf)
  return (bytes) => tokens.some((token) => bytes.includes(token))
}

/** The same for a frame's data, in the text that has mostly been decoded already; a long one is not decoded for it. */
export function frameScan(words: Iterable<string>): (frame: Frame) => boolean {
  const tokens = [...words].map((word) => Buffer.from(JSON.stringify(word)).toString('latin1'))
  return (frame) =>
    frame.dataEnd - frame.dataStart > longBytes
      ? tokens.some((token) => frame.data?.includes(token, 0, 'latin1'))
      : tokens.some((token) => frame.latin1.includes(token))
}

const longBytes = 256 * 1024

/** Names of tools are few, and are searched in every request. */
const tokens = new Map<string, Buffer>()
const mostTokens = 500

function tokenOf(word: string): Buffer {
  const known = tokens.get(word)
  if (known) return known
  if (tokens.size >= mostTokens) tokens.clear()
  const token = Buffer.from(JSON.stringify(word))
  tokens.set(word, token)
  return token
}
