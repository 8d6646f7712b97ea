import type { Socket } from 'node:net'
import type { buildConnector, Client as UndiciClient, Dispatcher } from 'undici'
import { pacedReads, type PacedReads } from './paced-reads.ts'
import { Client } from './parts.ts'

/** Goes with the dispatch options through undici's pools, so that an upstream call learns which connection took it. */
export const takenBy = Symbol('onward.taken-by')
export interface TakenBy {
  [takenBy]?: (connection: KeptConnection) => void
}

/** One kept-alive connection, seen from the request that has it. */
export interface KeptConnection {
  /** an answer has come over the connection that is open now */
  readonly used: boolean
  answered(): void
  /** the request that has it is over, however it went: no request waits for this connection any more */
  left(): void
  /** no written bytes wait for the system */
  readonly written: boolean
  /** stops reading from the socket, so that the upstream is held back; undone by `read` */
  hold(): void
  read(): void
  /** how the socket of the coming answer is read */
  readonly reads: PacedReads | null
}

export interface KeptClientOptions extends UndiciClient.Options {
  connect: buildConnector.connector
}

/** An undici client that remembers whether its open connection has served before, and can leave its socket unread. */
export class KeptClient extends Client implements KeptConnection {
  #opened = 0
  #servedOn = 0
  readonly #line: Line
  readonly #asking: { requests: number }

  constructor(origin: URL, options: KeptClientOptions) {
    const current: Line = { socket: null, reads: null, readers: [] }
    const asking = { requests: 0 }
    super(origin, {
      ...options,
      connect: (target, callback) => {
        // undici takes an aborted request for one that waits, and would connect for it again (seen with 7.30). The
        // callback comes later, as undici would still be in the middle of asking.
        if (asking.requests === 0) return queueMicrotask(() => callback(new Error('No request waits.'), null))
        options.connect(target, (...[error, socket]) => {
          if (error) return callback(error, null)
          current.socket = socket
          current.reads = pacedReads(socket)
          current.readers = []
          callback(null, socket)
        })
      },
    })
    this.#line = current
    this.#asking = asking
    this.on('connect', () => {
      this.#opened++
    })
  }

  get used(): boolean {
    return this.#opened > 0 && this.#servedOn === this.#opened
  }
  answered(): void {
    this.#servedOn = this.#opened
  }
  get reads(): PacedReads | null {
    return this.#line.reads
  }
  get written(): boolean {
    return this.#line.socket?.writableLength === 0
  }
  left(): void {
    this.#asking.requests--
  }

  /**
   * Instead of undici's own pause: its parser asserts that it is not paused when the other side ends or resets a
   * `connection: close` answer, and a failed assertion in a socket event ends the process (seen with undici 7.30).
   * A socket without `readable` listeners reads up to its high-water mark and then lets the kernel push back.
   */
  hold(): void {
    const { socket, readers } = this.#line
    if (!socket || readers.length > 0) return
    // Node types listeners as bare functions; undici's take no arguments.
    readers.push(...(socket.listeners('readable') as Reader[]))
    for (const reader of readers) socket.removeListener('readable', reader)
  }

  read(): void {
    const { socket, readers } = this.#line
    for (const reader of readers.splice(0)) socket?.on('readable', reader)
  }

  override dispatch(options: Dispatcher.DispatchOptions & TakenBy, handler: Dispatcher.DispatchHandler): boolean {
    if (options[takenBy]) this.#asking.requests++
    options[takenBy]?.(this)
    return super.dispatch(options, handler)
  }
}

type Reader = () => void
interface Line {
  socket: Socket | null
  reads: PacedReads | null
  readers: Reader[]
}
