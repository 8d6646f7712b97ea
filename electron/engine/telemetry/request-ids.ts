import { createHash, randomBytes } from 'node:crypto'

/** Ids of a turn's trace and span, the same for its events, which come before and after it. */
export interface RequestIds {
  traceId: string
  spanId: string
}

export function idsOf(requestId: string): RequestIds {
  const hash = createHash('sha256').update(requestId).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

export const newSpanId = (): string => randomBytes(8).toString('hex')
