/**
 * Passes SSE bytes on up to the last complete event and keeps the rest until it is complete. No byte is changed,
 * and chunks that end with an event (nearly all do) pass without a copy. Comment lines between events pass at once:
 * they may be all that keeps a client waiting (HTML standard, 9.2.7 of server-sent events).
 */
export function wholeEvents(limit = 1024 * 1024): { take(chunk: Buffer): Buffer; rest(): Buffer } {
  let tail: Buffer[] = []
  let tailBytes = 0
  // The two bytes before the chunk: a blank line may be cut anywhere.
  let last = 0
  let lastButOne = 0
  return {
    take(chunk) {
      if (chunk.length === 0) return chunk
      const ended = endOfLastEvent(chunk, last, lastButOne)
      const between = ended > 0 || tailBytes === 0
      const cut = between && onlyComments(chunk, ended) ? chunk.length : ended
      lastButOne = chunk.length > 1 ? (chunk[chunk.length - 2] ?? 0) : last
      last = chunk[chunk.length - 1] ?? 0
      if (cut === chunk.length && tailBytes === 0) return chunk
      if (cut === 0 && tailBytes + chunk.length <= limit) {
        tail.push(chunk)
        tailBytes += chunk.length
        return empty
      }
      // An event larger than the limit is passed on in pieces: memory stays bounded.
      const whole = cut === 0 ? chunk.length : cut
      const out = Buffer.concat([...tail, chunk.subarray(0, whole)])
      tail = whole < chunk.length ? [chunk.subarray(whole)] : []
      tailBytes = chunk.length - whole
      return out
    },
    rest() {
      const out = Buffer.concat(tail)
      tail = []
      tailBytes = 0
      return out
    },
  }
}

const empty = Buffer.alloc(0)
const LF = 10
const CR = 13
const COLON = 58

/** Whole lines of comment, from an event's end to the end of the chunk. */
function onlyComments(chunk: Buffer, from: number): boolean {
  if (chunk[from] !== COLON || chunk[chunk.length - 1] !== LF) return false
  for (let i = chunk.indexOf(LF, from); i < chunk.length - 1; i = chunk.indexOf(LF, i + 1))
    if (chunk[i + 1] !== COLON) return false
  return true
}

/** Index behind the last blank line in `chunk` (LF LF, CRLF CRLF, CR CR); 0: none ends in it. */
function endOfLastEvent(chunk: Buffer, last: number, lastButOne: number): number {
  const at = (i: number): number => (i >= 0 ? (chunk[i] ?? 0) : i === -1 ? last : lastButOne)
  for (let i = chunk.lastIndexOf(LF); i >= 0; i = i === 0 ? -1 : chunk.lastIndexOf(LF, i - 1)) {
    if (at(i - 1) === LF) return i + 1
    if (at(i - 1) === CR && at(i - 2) === LF) return i + 1
  }
  if (chunk.indexOf(LF) >= 0) return 0
  for (let i = chunk.lastIndexOf(CR); i >= 0; i = i === 0 ? -1 : chunk.lastIndexOf(CR, i - 1)) {
    if (at(i - 1) === CR) return i + 1
  }
  return 0
}
