import type { Frame } from './frame.ts'

/** Collects the bytes of frames to write: neighbours are sent together, without a copy. */
interface FrameBytes {
  add(frame: Frame): void
  /** bytes that are not part of any frame */
  addBytes(bytes: Buffer): void
  /** what was added since the last call, as one piece */
  take(): Buffer
}

export function frameBytes(): FrameBytes {
  let source: Buffer = nothing
  let from = 0
  let to = 0
  /** parts in front of the current one */
  let before: Buffer[] | null = null

  function addPart(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    if (to > from) {
      if (bytes === source && start === to) {
        to = end
        return
      }
      before ??= []
      before.push(part())
    }
    source = bytes
    from = start
    to = end
  }
  const part = (): Buffer => (from === 0 && to === source.length ? source : source.subarray(from, to))

  return {
    add: (frame) => addPart(frame.source, frame.from, frame.to),
    addBytes: (bytes) => addPart(bytes, 0, bytes.length),
    take() {
      if (to === from) return nothing
      const last = part()
      const all = before === null ? last : Buffer.concat([...before, last])
      source = nothing
      from = to = 0
      before = null
      return all
    },
  }
}

const nothing = Buffer.alloc(0)
