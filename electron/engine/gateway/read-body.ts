import type { IncomingMessage, ServerResponse } from 'node:http'

export type BodyRead = { kind: 'whole'; body: Buffer } | { kind: 'too-large' } | { kind: 'left' }

/**
 * Collects a request body of at most `limit` bytes. A larger one is given up as soon as that is known, from
 * content-length before a byte is read; what still comes in is thrown away unseen.
 */
export function readBody(req: IncomingMessage, res: ServerResponse, limit: number): Promise<BodyRead> {
  if (Number(req.headers['content-length'] ?? 0) > limit) return Promise.resolve({ kind: 'too-large' })
  if (req.headers.expect !== undefined) res.writeContinue()
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let bytes = 0
    const settle = (result: BodyRead) => {
      req.off('data', onData)
      chunks = []
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limit) return void chunks.push(chunk)
      settle({ kind: 'too-large' })
      req.resume()
    }
    req.on('data', onData)
    req.once('end', () => settle({ kind: 'whole', body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes) }))
    // Without a listener for 'error' a broken-off request would throw; 'close' follows in every case.
    req.once('error', () => settle({ kind: 'left' }))
    req.once('close', () => settle({ kind: 'left' }))
  })
}
