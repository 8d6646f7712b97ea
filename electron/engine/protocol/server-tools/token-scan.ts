import type { Frame } from '../answer/frame.ts'

/**
 * Looks for words as JSON strings of their own, before anything is parsed: a word within a text stands there behind a
 * backslash and is not found. One native search per word.
 */
export function tokenScan(words: Iterable<string>): (bytes: Buffer) => boolean {
  const tokens = Array.from(words, tokenOf)
  return (bytes) => tokens.some((token) => bytes.includes(token))
}

/** ... in what a frame says, which somebody has mostly read before. */
export function frameScan(words: Iterable<string>): (frame: Frame) => boolean {
  const tokens = [...words].map((word) => Buffer.from(JSON.stringify(word)).toString('latin1'))
  return ({ latin1 }) => tokens.some((token) => latin1.includes(token))
}

/** Names of tools are few, and looked for in every request. */
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
