import type { Message } from './request.ts'

type AnswerPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/**
 * Adds a piece of the model's words. Some clients keep a stream as one part for each piece of it: neighbours of a kind
 * are one text, as the vendors' SDKs read them, up to a cache mark.
 */
export function addPiece(parts: AnswerPart[], piece: AnswerPart): void {
  const last = parts.at(-1)
  if (piece.type === 'text' && last?.type === 'text' && !last.cache && last.phase === piece.phase)
    parts[parts.length - 1] = { ...piece, text: last.text + piece.text }
  else parts.push(piece)
}
