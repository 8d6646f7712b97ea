import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyShare } from './body-budget.ts'

export type BodyRead = { kind: 'whole'; body: Buffer } | { kind: 'too-large' | 'no-room' | 'left' }

/**
 * Collects a request body of at most `limit` bytes. A larger one is given up as soon as that is known, from
 * content-length before a byte is read; what still comes in is thrown away unseen. So is one for which the budget has
 * no room.
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  share: BodyShare,
): Promise<BodyRead> {
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.resolve({ kind: 'too-large' })
  // Taken at once: of many that grow side by side none might come to its end.
  if (!share.take(announced)) return Promise.resolve({ kind: 'no-room' })
  if (req.headers.expect !== undefined) res.writeContinue()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let held = announced
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      const fits = bytes <= limit
      const more = Math.max(0, bytes - held)
      held += more
      if (fits && share.take(more)) return void chunks.push(chunk)
      settle({ kind: fits ? 'no-room' : 'too-large' })
      req.resume()
    }
    const onEnd = () =>
      settle({ kind: 'whole', body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes) })
    const onGone = () => settle({ kind: 'left' })
    // The listeners would hold on to the body as long as the request lives, which is as long as the answer streams.
    const settle = (result: BodyRead) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      chunks.length = 0
      resolve(result)
    }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}
