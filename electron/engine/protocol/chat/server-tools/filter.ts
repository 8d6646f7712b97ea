import type { Mutable } from '../../../base/mutable.ts'
import { eventFrame } from '../../join/event-bytes.ts'
import type { Frame } from '../../answer/frame.ts'
import { frameScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { asObject, type JsonObject } from '../../values.ts'
import { meaningOf } from '../../finish-names.ts'
import { isSaid } from '../convert/members.ts'
import * as facts from '../facts.ts'
import { rawUsage } from '../usage-dialects.ts'
import { callSieve } from './hidden-calls.ts'

/** Takes hidden calls out of a Chat stream. */
export function chatFilter(names: HiddenNames): RoundFilter {
  const mayName = frameScan(names)
  const sieve = callSieve(names)
  /** a call of the client's went by before anything was parsed */
  let keptBefore = false

  /** The event as the client gets it; null: nothing of it is for the client. */
  function withoutHidden(event: Frame): Frame | null {
    const value = event.value()
    if (!value) return event
    let changed = false
    let empty = true
    const choices = facts.choices(value).map((choice) => {
      if (!facts.isFirst(choice)) {
        empty = false
        return choice
      }
      const left = withoutCalls(choice)
      if (left !== choice) changed = true
      if (says(facts.message(left)) || facts.finish(left) !== null) empty = false
      return left
    })
    if (!changed) return event
    if (empty && rawUsage(value) === null) return null
    return eventFrame(event, Buffer.from(JSON.stringify({ ...value, choices })))
  }

  function withoutCalls(choice: JsonObject): JsonObject {
    const delta = asObject(choice['delta'])
    const calls = facts.calls(delta ?? {})
    const entries = sieve.entries(calls)
    round.began = sieve.hid
    const moved = entries !== calls
    const reason = facts.finish(choice)
    const finish = reason !== null && meaningOf(reason) === 'tool-calls' && sieve.hid && !sieve.kept && !keptBefore
    if (!moved && !finish) return choice
    const left = moved ? { ...delta, tool_calls: entries.length > 0 ? entries : undefined } : delta
    return { ...choice, delta: left, ...(finish ? { finish_reason: 'stop' } : {}) }
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    frame(event) {
      if (sieve.hid) return withoutHidden(event)
      // Nearly all events are text, and end here.
      if (event.onlyWords || !mayCall(event)) return event
      if (mayName(event)) return withoutHidden(event)
      keptBefore ||= facts.mayHaveCalls(event)
      return event
    },
  }
  return round
}

const mayCall = frameScan(['tool_calls'])

const says = (delta: JsonObject): boolean => Object.values(delta).some(isSaid)
