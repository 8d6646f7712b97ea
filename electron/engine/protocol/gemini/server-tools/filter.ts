import { eventBytes } from '../../join/event-bytes.ts'
import { splice } from '../../json-bytes/index.ts'
import type { Frame } from '../../answer/frame.ts'
import { rewriteEvents } from '../../server-tools/rewrite-events.ts'
import { tokenScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { parseObject } from '../../values.ts'
import { hiddenParts, hideCalls } from './hide-calls.ts'

/**
 * A part has no index, and `STOP` ends an answer with calls as well as one without: only events with a hidden call
 * in them change.
 */
export function filter(names: HiddenNames): RoundFilter {
  const hidden = hiddenParts(names)
  const concerns = (bytes: Buffer): boolean => hidden.open || mayCall(bytes)

  function rewritten(event: Frame): Buffer | null {
    const { raw, data } = event
    if (!data || !concerns(data) || !event.value()) return raw
    const { edits, empty } = hideCalls(data, hidden)
    if (edits.length === 0) return raw
    return empty ? null : eventBytes(event, splice(data, edits))
  }

  return {
    get began() {
      return hidden.began
    },
    push: (chunk) => (concerns(chunk) ? rewriteEvents(chunk, rewritten) : chunk),
  }
}

/** The same buffer when there are no hidden calls. */
export function filterBody(body: Buffer, names: HiddenNames): Buffer {
  if (!tokenScan(names)(body) || !parseObject(body)) return body
  return splice(body, hideCalls(body, hiddenParts(names)).edits)
}

const mayCall = tokenScan(['functionCall', 'function_call'])
