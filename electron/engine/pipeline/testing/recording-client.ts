import type { Reply } from '../turn.ts'

/** A client's side of one request. A write that a socket would refuse is an error here too. */
export interface RecordingClient {
  reply: Reply
  readonly heads: readonly { status: number; headers: Record<string, string | string[]> }[]
  /** everything so far */
  readonly text: string
  readonly ended: 'whole' | 'aborted' | null
  /** from now on there is no room, until `drain` */
  fill(): void
  drain(): void
  leave(): void
  /** hangs up as soon as it has read this, as Codex and Copilot do at the last event */
  leaveAt(word: RegExp): void
}

export function recordingClient(): RecordingClient {
  const heads: { status: number; headers: Record<string, string | string[]> }[] = []
  const pieces: Buffer[] = []
  const drained: (() => void)[] = []
  let closed: (() => void)[] = []
  let ended: 'whole' | 'aborted' | null = null
  let left = false
  let room = true
  let hangsUpAt: RegExp | null = null
  const close = () => {
    const told = closed
    closed = []
    for (const listener of told) listener()
  }
  const take = (chunk: Uint8Array) => {
    if (left) return
    if (heads.length === 0) throw new Error('a body without a head')
    if (ended !== null) throw new Error('bytes behind the end')
    pieces.push(Buffer.from(chunk))
    if (hangsUpAt?.test(Buffer.concat(pieces).toString())) setImmediate(leave)
  }
  const end = (how: 'whole' | 'aborted') => {
    if (left) return
    if (ended !== null) throw new Error('ended twice')
    ended = how
    queueMicrotask(close)
  }
  const leave = () => {
    left ||= ended === null
    close()
  }
  const reply: Reply = {
    head(status, headers) {
      if (left) return
      if (heads.length > 0) throw new Error('a second head')
      heads.push({ status, headers })
    },
    write(chunk) {
      take(chunk)
      return room
    },
    end(chunk) {
      if (chunk && chunk.byteLength > 0) take(chunk)
      end('whole')
    },
    abort: () => end('aborted'),
    get headSent() {
      return heads.length > 0
    },
    get finished() {
      return ended === 'whole'
    },
    get left() {
      return left || ended === 'aborted'
    },
    onDrain(listener) {
      drained.push(listener)
    },
    onClose(listener) {
      closed.push(listener)
    },
  }
  return {
    reply,
    heads,
    get text() {
      return Buffer.concat(pieces).toString()
    },
    get ended() {
      return ended
    },
    fill() {
      room = false
    },
    drain() {
      room = true
      for (const listener of drained) listener()
    },
    leave,
    leaveAt(word) {
      hangsUpAt = word
    },
  }
}
