import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { codecOf } from '../../protocol/index.ts'

/** A request with only the last items of its conversation, and the bytes of those left out. */
export interface RequestEnding {
  body: Buffer
  before: Buffer
}

const firstBytes = 64 * 1024
const growth = 4

/**
 * Longer and longer tails of a request, each a valid request of its own; none as long as half of it. A caller that
 * wants to know what happened last reads the shortest tail that shows it, and the whole request where none does.
 */
export function* requestEndings(entry: EntryProtocol, path: string, body: Buffer): Generator<RequestEnding> {
  const items = itemsOf(entry, path, body)
  const first = items[0]?.start ?? 0
  const end = items.at(-1)?.end ?? 0
  for (let bytes = firstBytes; bytes * 2 < end - first; bytes *= growth) {
    const from = items.find(({ start }) => start >= end - bytes)
    if (from)
      yield {
        body: Buffer.concat([body.subarray(0, first), body.subarray(from.start)]),
        before: body.subarray(first, from.start),
      }
  }
}

function itemsOf(entry: EntryProtocol, path: string, body: Buffer): readonly { start: number; end: number }[] {
  try {
    return codecOf(entry).read(body, path).items()
  } catch (error) {
    // Not a request at all: reading it whole reports that.
    if (OnwardError.isInstance(error)) return []
    throw error
  }
}
