import { eventFrame } from '../../join/event-bytes.ts'
import type { Frame } from '../../answer/frame.ts'
import { frameScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import { meaningOf } from '../../finish-names.ts'
import { reasonOfChoice } from '../finish.ts'
import { callSieve, isAnswer } from './hidden-calls.ts'

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
    const choices = asList(value['choices']).map((entry) => {
      const choice = asObject(entry)
      if (!choice || !isAnswer(choice)) {
        empty = false
        return entry
      }
      const left = withoutCalls(choice)
      if (left !== choice) changed = true
      if (says(asObject(left['delta']) ?? {}) || reasonOfChoice(left) !== null) empty = false
      return left
    })
    if (!changed) return event
    if (empty && !asObject(value['usage'])) return null
    return eventFrame(event, Buffer.from(JSON.stringify({ ...value, choices })))
  }

  function withoutCalls(choice: JsonObject): JsonObject {
    const delta = asObject(choice['delta'])
    const calls = asList(delta?.['tool_calls'])
    const entries = sieve.entries(calls)
    const moved = entries !== calls
    const reason = reasonOfChoice(choice)
    const finish = reason !== null && meaningOf(reason) === 'tool-calls' && sieve.hid && !sieve.kept && !keptBefore
    if (!moved && !finish) return choice
    const left = moved ? { ...delta, tool_calls: entries.length > 0 ? entries : undefined } : delta
    return { ...choice, delta: left, ...(finish ? { finish_reason: 'stop' } : {}) }
  }

  return {
    frame(event) {
      if (sieve.hid) return withoutHidden(event)
      // Nearly all events are text, and end here.
      if (!mayCall(event)) return event
      if (mayName(event)) return withoutHidden(event)
      keptBefore ||= beginsCall(event)
      return event
    },
    get began() {
      return sieve.hid
    },
  }
}

const mayCall = frameScan(['tool_calls'])

/** A key in its quotes and with its colon can't stand in a text without a backslash. */
const beginsCall = ({ latin1 }: Frame): boolean => /"tool_calls"\s*:\s*\[\s*\{/.test(latin1)

const says = (delta: JsonObject): boolean =>
  Object.values(delta).some(
    (value) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
