import type { Frame } from '../answer/frame.ts'
import { sseFrames } from '../answer/sse-frames.ts'

/**
 * A chunk of whole events with some of them changed: `rewrite` gives an event's bytes as the client gets them, its own
 * `raw` where nothing changes, null where nothing of it is for the client. The very same buffer where all stay.
 */
export function rewriteEvents(chunk: Buffer, rewrite: (event: Frame) => Buffer | null): Buffer {
  const out: Buffer[] = []
  let changed = false
  const frames = sseFrames((event) => {
    const bytes = rewrite(event)
    if (bytes !== event.raw) changed = true
    if (bytes) out.push(bytes)
  }, Number.MAX_SAFE_INTEGER)
  frames.push(chunk)
  // A stream's last event may lack its blank line.
  if (frames.begun) frames.push(blankLine)
  return changed ? Buffer.concat(out) : chunk
}

const blankLine = Buffer.from('\n\n')
