import type { Socket } from 'node:net'

/** Reads of a socket, one at a time where its reader asks for that. */
export interface PacedReads {
  /** from now on the socket is read once for each `next` */
  pace(): void
  next(): void
  /** the socket is read freely */
  free(): void
}

/**
 * Leaves arriving data in the kernel without waking the process. A socket's own `pause` goes on reading up to its
 * high-water mark, one system call and one turn of the event loop for each piece. So this stands between the socket and
 * Node's stream, at the two methods that Node documents for implementers of a stream: a `push` that answers false stops
 * the reading, and `_read` starts it.
 */
export function pacedReads(socket: Socket): PacedReads {
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let paced = false
  /** the stream wants data */
  let wanted = false
  /** it may read once more */
  let allowed = false
  let size = 0

  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const more = push(chunk, encoding)
    return paced ? false : more
  }
  socket._read = (bytes) => {
    if (paced && !allowed) {
      wanted = true
      size = bytes
      return
    }
    allowed = false
    read(bytes)
  }
  const start = () => {
    if (!wanted) return
    wanted = false
    read(size)
  }
  return {
    pace() {
      paced = true
    },
    next() {
      if (!paced) return
      allowed = !wanted
      start()
    },
    free() {
      paced = false
      allowed = false
      start()
    },
  }
}
