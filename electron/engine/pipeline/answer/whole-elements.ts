import { listWalker } from '../../protocol/json-list.ts'

/**
 * Passes a growing JSON list on up to its last whole element and keeps the rest, its closing bracket too: a list that
 * breaks off can then still end properly, with an error as its last element. No byte is changed.
 */
export function wholeElements(limit = 1024 * 1024): {
  take(chunk: Buffer): Buffer
  rest(): Buffer
  endWith(element: Buffer): Buffer
} {
  const walker = listWalker()
  let held: Buffer[] = []
  let heldBytes = 0
  let any = false
  /** the client has the beginning of an element without its end */
  let torn = false

  function taken(): Buffer {
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
    held = []
    heldBytes = 0
    return all
  }

  return {
    take(chunk) {
      const end = walker.walk(chunk).reduce((last, place) => place.end ?? last, 0)
      if (end > 0) {
        any = true
        torn = false
        held.push(chunk.subarray(0, end))
        const out = taken()
        held = [chunk.subarray(end)]
        heldBytes = chunk.length - end
        return out
      }
      held.push(chunk)
      heldBytes += chunk.length
      if (walker.state !== 'none' && heldBytes <= limit) return nothing
      // An element larger than the limit goes on in pieces: memory stays bounded.
      torn = true
      return taken()
    },
    rest: taken,
    endWith(element) {
      held = []
      if (torn) return nothing
      return Buffer.concat([Buffer.from(any ? ',' : '['), element, Buffer.from(']')])
    },
  }
}

const nothing = Buffer.alloc(0)
