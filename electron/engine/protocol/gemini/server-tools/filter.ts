import type { Mutable } from '../../../base/mutable.ts'
import { eventFrame } from '../../join/event-bytes.ts'
import { splice } from '../../json-bytes/index.ts'
import type { Frame } from '../../answer/frame.ts'
import { frameScan, tokenScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { parseObject } from '../../values.ts'
import { hiddenParts, hideCalls } from './hide-calls.ts'

/** A part has no index, and `STOP` ends an answer with or without calls, so only events with a hidden call change. */
export function filter(names: HiddenNames): RoundFilter {
  const hidden = hiddenParts(names)
  const concerns = (event: Frame): boolean => hidden.open || mayCall(event)

  function rewritten(event: Frame): Frame | null {
    const { data } = event
    if (!data || !event.value()) return event
    const { edits, empty } = hideCalls(data, hidden)
    round.began = hidden.began
    if (edits.length === 0) return event
    return empty ? null : eventFrame(event, splice(data, edits))
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    frame: (event) => (concerns(event) ? rewritten(event) : event),
  }
  return round
}

/** Returns the same buffer if there are no hidden calls. */
export function filterBody(body: Buffer, names: HiddenNames): Buffer {
  if (!tokenScan(names)(body) || !parseObject(body)) return body
  return splice(body, hideCalls(body, hiddenParts(names)).edits)
}

const mayCall = frameScan(['functionCall', 'function_call'])
