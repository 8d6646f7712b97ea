import { createHash } from 'node:crypto'
import { withoutBlanks } from '../../server-tools/types.ts'
import { sortedJson } from '../../values.ts'
import type { Seal, WireProtocol } from '../request.ts'

/**
 * Everything that a provider sealed in one answer, and where it stood among the words and calls that the client got.
 * Clients that know nothing of thinking drop all of it; the provider wants it back with their next request.
 */
export interface KeptAnswer {
  /** milliseconds since 1970 */
  at: number
  /** the provider's protocol */
  of: WireProtocol
  /** provider and model, `provider.model`: seals of one are refused or of no use to another */
  by: string
  /** how many answers stood before it in the request: clients say the same words more than once */
  ordinal: number
  /** of all visible text without blanks */
  text: string
  /** of the calls' names and arguments in order; null: it has none */
  calls: string | null
  pieces: readonly KeptPiece[]
}

export type KeptPiece =
  | { type: 'thinking'; text: string; seal: Seal }
  /** `length` in UTF-16 units, `solid` of them are no white space */
  | { type: 'text'; length: number; solid: number }
  | { type: 'call'; id: string; seal: Seal | null }

/** The size that counts against the limit of a conversation, in characters. */
export const sizeOf = ({ pieces }: KeptAnswer): number =>
  pieces.reduce(
    (sum, piece) =>
      sum +
      80 +
      (piece.type === 'thinking' ? piece.text.length : 0) +
      (piece.type !== 'text' && piece.seal ? piece.seal.data.length + (piece.seal.text?.length ?? 0) : 0),
    250,
  )

export interface CallFacts {
  name: string
  /** JSON as the model wrote it, or a freeform tool's text */
  arguments: string
}

/** Clients write arguments anew: their content counts, whatever the order of members. */
export function digestOfCalls(calls: readonly CallFacts[]): string | null {
  if (calls.length === 0) return null
  const hash = createHash('sha256')
  for (const call of calls) hash.update(`${call.name}\0${settled(call.arguments)}\0`)
  return hash.digest('base64url').slice(0, 22)
}

function settled(json: string): string {
  try {
    return sortedJson(JSON.parse(json === '' ? '{}' : json))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return json
  }
}

/** Digest of text that comes in pieces. */
export function textDigest(): { add(text: string): number; end(): string } {
  const hash = createHash('sha256')
  return {
    /** @returns how many of its characters are no white space */
    add(text) {
      const solid = withoutBlanks(text)
      hash.update(solid)
      return solid.length
    },
    end: () => hash.digest('base64url').slice(0, 22),
  }
}

export function digestOfText(texts: Iterable<string>): string {
  const digest = textDigest()
  for (const text of texts) digest.add(text)
  return digest.end()
}
