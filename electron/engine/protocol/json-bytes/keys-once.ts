import { backslash } from './bytes.ts'
import { decodeString } from './decode.ts'

/** From this many keys on, an object's keys are looked up in a map instead of compared one by one. */
const many = 32

/**
 * Buffers for the keys of one document, kept for the next: documents are read one at a time, and new buffers cost more
 * than the reading.
 */
let hashes = new Int32Array(256)
let starts = new Int32Array(256)
let ends = new Int32Array(256)
const first: number[] = []
const lookedUp: (Map<number, number[]> | undefined)[] = []
/** larger buffers than this are released */
const mostKept = 65_536

/** Finds repeated keys in the open objects by a hash of their text; most objects have few keys, and none is decoded. */
export function keysOnce(body: Buffer) {
  let top = 0
  if (hashes.length > mostKept) [hashes, starts, ends] = [new Int32Array(256), new Int32Array(256), new Int32Array(256)]

  const keyAt = (at: number) => saidBy(body, starts[at] ?? 0, ends[at] ?? 0)

  function add(hash: number, start: number, end: number): number {
    if (top === hashes.length) [hashes, starts, ends] = [twice(hashes), twice(starts), twice(ends)]
    hashes[top] = hash
    starts[top] = start
    ends[top] = end
    return top++
  }

  /** True if the open object has this key. Few keys are compared one by one. */
  function isThere(depth: number, hash: number, said: () => string): boolean {
    const from = first[depth] ?? 0
    if (top - from < many) {
      for (let at = from; at < top; at++) if (hashes[at] === hash && keyAt(at) === said()) return true
      return false
    }
    let known = lookedUp[depth]
    if (!known) {
      known = lookedUp[depth] = new Map()
      for (let at = from; at < top; at++) put(known, hashes[at] ?? 0, at)
    }
    return known.get(hash)?.some((at) => keyAt(at) === said()) ?? false
  }

  return {
    open(depth: number): void {
      first[depth] = top
      lookedUp[depth] = undefined
    },
    close(depth: number): void {
      top = first[depth] ?? 0
    },
    /**
     * Adds a key of the open object, by the place of its token.
     * @returns true if the object has the key already
     */
    again(depth: number, start: number, end: number): boolean {
      const hash = hashOf(body, start, end)
      if (isThere(depth, hash, () => saidBy(body, start, end))) return true
      const at = add(hash, start, end)
      const known = lookedUp[depth]
      if (known) put(known, hash, at)
      return false
    },
  }
}

function put(known: Map<number, number[]>, hash: number, at: number): void {
  const there = known.get(hash)
  if (there) there.push(at)
  else known.set(hash, [at])
}

function twice(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** FNV-1a of the bytes between the quotes, as they are without escapes. */
function hashOf(body: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start + 1; i < end - 1; i++) {
    const c = body[i] ?? 0
    if (c === backslash) {
      // Characters that must be escaped are escaped in every spelling, and this gives them one spelling.
      const plain = Buffer.from(JSON.stringify(saidBy(body, start, end)).replaceAll('\\', '/'))
      return hashOf(plain, 0, plain.length)
    }
    hash = Math.imul(hash ^ c, 0x01000193)
  }
  return hash
}

/** Returns a key's text, or its raw bytes if it has a bad escape: the code that reads the key reports that. */
function saidBy(body: Buffer, start: number, end: number): string {
  try {
    return decodeString(body, { start, end })
  } catch {
    return body.toString('latin1', start, end)
  }
}
