import type { Mutable } from '../../../base/mutable.ts'
import { meaningOf } from '../../finish-names.ts'
import { eventFrame } from '../../join/event-bytes.ts'
import type { Frame } from '../../answer/frame.ts'
import { member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { memberEdits, rootOf, setMembers } from '../../json-members.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { eventType } from '../../observe/peek.ts'
import { asNumber, asText, type JsonObject } from '../../values.ts'
import { frameScan } from '../../server-tools/token-scan.ts'
import * as facts from '../facts.ts'

export const isHidden = (block: JsonObject | null, names: HiddenNames): boolean =>
  facts.isCall(block) && names.has(asText(block?.['name']) ?? '')

const mayBeginCall = frameScan(['tool_use'])

/** Takes hidden `tool_use` blocks out: clients run a block that is there, whatever the stop reason says. */
export function filter(names: HiddenNames): RoundFilter {
  /** the index a block that is kept has for the client, by the index it came with */
  const indices = new Map<number, number>()
  const hidden = new Set<number>()
  let taken = 0
  let clientCalls = 0

  function start(event: Frame, index: number): Frame | null {
    const block = facts.block(event.value())
    if (isHidden(block, names)) {
      hidden.add(index)
      taken++
      round.began = true
      return null
    }
    if (facts.isCall(block)) clientCalls++
    hidden.delete(index)
    indices.set(index, index - taken)
    return moved(event, index, index - taken)
  }

  function filtered(event: Frame): Frame | null {
    const index = asNumber(event.value()?.['index'])
    switch (eventType(event)) {
      case 'content_block_start':
        return index === null ? event : start(event, index)
      case 'content_block_delta':
      case 'content_block_stop':
        if (index === null) return event
        return hidden.has(index) ? null : moved(event, index, indices.get(index) ?? index)
      case 'message_delta':
        return taken > 0 && clientCalls === 0 ? stopped(event) : event
      default:
        return event
    }
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    // After a hidden call every index counts; before it only the beginnings of calls.
    frame: (event) => (taken === 0 && (event.onlyWords || !mayBeginCall(event)) ? event : filtered(event)),
  }
  return round
}

const moved = (event: Frame, from: number, to: number): Frame =>
  from === to || event.data === null ? event : eventFrame(event, setMembers(event.data, { index: String(to) }))

function stopped(event: Frame): Frame {
  const { data } = event
  if (data === null) return event
  const delta = member(data, rootOf(data), 'delta')
  const edits = delta ? plainStop(data, delta, event.value()) : []
  return edits.length === 0 ? event : eventFrame(event, splice(data, edits))
}

/** A reason other than a call says why the model stopped, and stays. `at`: where the object stands that holds it. */
export function plainStop(json: Buffer, at: Span, value: JsonObject | null): Edit[] {
  const name = facts.finish(value)
  return name !== null && meaningOf(name) === 'tool-calls' ? memberEdits(json, at, { stop_reason: '"end_turn"' }) : []
}
