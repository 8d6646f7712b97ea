import type { Reply } from '../types.ts'

export interface ReplyListener {
  /** the response began to be written */
  head?(status: number): void
  /** before it is written */
  chunk?(bytes: Uint8Array): void
}

/** The same reply; what is written to it is heard as well. */
export function observedReply(reply: Reply, ears: ReplyListener): Reply {
  return {
    head(status, headers) {
      reply.head(status, headers)
      ears.head?.(status)
    },
    write(chunk) {
      ears.chunk?.(chunk)
      return reply.write(chunk)
    },
    end(chunk) {
      if (chunk) ears.chunk?.(chunk)
      reply.end(chunk)
    },
    abort: () => reply.abort(),
    get headSent() {
      return reply.headSent
    },
    get finished() {
      return reply.finished
    },
    get left() {
      return reply.left
    },
    onDrain: (listener) => reply.onDrain(listener),
    onClose: (listener) => reply.onClose(listener),
  }
}
