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

/** The SDK asks for ids while a span begins; `next` says which those are. */
export interface IdSource {
  generateTraceId(): string
  generateSpanId(): string
  /** for the span that `begin` begins */
  next<T>(ids: RequestIds, begin: () => T): T
}

export function idSource(): IdSource {
  let given: RequestIds | null = null
  return {
    generateTraceId: () => given?.traceId ?? randomBytes(16).toString('hex'),
    generateSpanId: () => given?.spanId ?? randomBytes(8).toString('hex'),
    next(ids, begin) {
      given = ids
      try {
        return begin()
      } finally {
        given = null
      }
    },
  }
}
