import type { Reply } from './types.ts'

/** The same reply; `onHead` is told once, when the response begins to be written. */
export function watchHead(reply: Reply, onHead: (status: number) => void): Reply {
  return {
    head(status, headers) {
      reply.head(status, headers)
      onHead(status)
    },
    write: (chunk) => reply.write(chunk),
    end: (chunk) => reply.end(chunk),
    abort: () => reply.abort(),
    get headSent() { return reply.headSent },
    get finished() { return reply.finished },
    get left() { return reply.left },
    onDrain: (listener) => reply.onDrain(listener),
    onClose: (listener) => reply.onClose(listener),
  }
}
