import type { Reply } from '../types.ts'

export interface ReplyListener {
  /** the response began to be written */
  head?(status: number): void
  /** before it is written */
  chunk?(bytes: Uint8Array): void
}

/** Returns the same reply, whose writes the listener sees as well. */
export const observedReply = (reply: Reply, ears: ReplyListener): Reply => new ObservedReply(reply, ears)

/** A class for its getters: those of an object literal hold a request in memory (`base/mutable.ts`). */
class ObservedReply implements Reply {
  private readonly reply: Reply
  private readonly ears: ReplyListener
  readonly onDrain: Reply['onDrain']
  readonly onClose: Reply['onClose']
  readonly abort: Reply['abort']

  constructor(reply: Reply, ears: ReplyListener) {
    this.reply = reply
    this.ears = ears
    this.onDrain = reply.onDrain
    this.onClose = reply.onClose
    this.abort = reply.abort
  }
  head(status: number, headers: Record<string, string | string[]>): void {
    this.reply.head(status, headers)
    this.ears.head?.(status)
  }
  write(chunk: Uint8Array): boolean {
    this.ears.chunk?.(chunk)
    return this.reply.write(chunk)
  }
  end(chunk?: Uint8Array): void {
    if (chunk) this.ears.chunk?.(chunk)
    this.reply.end(chunk)
  }
  get headSent(): boolean {
    return this.reply.headSent
  }
  get finished(): boolean {
    return this.reply.finished
  }
  get left(): boolean {
    return this.reply.left
  }
}
