import type { Mutable } from '../../../base/mutable.ts'
import type { Frame } from '../../answer/frame.ts'
import { meaningOf } from '../../finish-names.ts'
import { eventFrame } from '../../join/types.ts'
import { member, splice, type Edit, type Span, elements } from '../../json-bytes/index.ts'
import { memberEdits, rootOf, setMembers } from '../../json-bytes/walk.ts'
import { eventType } from '../../observe/peek.ts'
import {
  type HiddenNames,
  type RoundFilter,
  frameScan,
  tokenScan,
  mostEmptyBytes,
  solidText,
} from '../../server-tools/types.ts'
import { asNumber, asText, type JsonObject, withoutElements, parseObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { blocks, isCall } from '../facts.ts'

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
function plainStop(json: Buffer, at: Span, value: JsonObject | null): Edit[] {
  const name = facts.finish(value)
  return name !== null && meaningOf(name) === 'tool-calls' ? memberEdits(json, at, { stop_reason: '"end_turn"' }) : []
}

const callType = Buffer.from('"tool_use"')

/** A whole answer without hidden calls; the same buffer when it has none, or is no JSON object. */
export function filterBody(body: Buffer, names: HiddenNames): Buffer {
  // Most answers call nothing, which one search shows; the names take one search each.
  if (!body.includes(callType) || !tokenScan(names)(body)) return body
  const value = parseObject(body)
  const list = value && member(body, rootOf(body), 'content')
  if (!value || !list) return body
  const all = blocks(value)
  const hidden = all.map((block) => isHidden(block, names))
  if (!hidden.includes(true)) return body
  const hasCall = all.some((block, i) => isCall(block) && !hidden[i])
  return splice(body, [
    ...withoutElements(elements(body, list), (i) => hidden[i] === true),
    ...(hasCall ? [] : plainStop(body, rootOf(body), value)),
  ])
}

/**
 * True if a chunk holds a text or thinking with a character that is not blank, why it was refused, the signature of a
 * thinking that is not shown, a citation, or a block of any other kind. It looks at bytes: JSON tokens within a text
 * have escaped quotes and are not found. Blocks: `ContentBlock` and `BetaContentBlock` of `@anthropic-ai/sdk`; an
 * unknown one counts all the same.
 */
export const hasContent = (chunk: Buffer): boolean =>
  chunk.length > mostEmptyBytes || said.test(chunk.toString('latin1'))

const said = new RegExp(
  [
    `"(?:text|thinking|partial_json|signature|data|explanation)"\\s*:\\s*${solidText}`,
    '"type"\\s*:\\s*"(?:\\w+_tool_use|\\w*tool_result|container_upload|compaction|mcp_tool_listing|citations_delta)"',
    // not one of zero values
    '"type"\\s*:\\s*"tool_use"(?!\\s*,\\s*"id"\\s*:\\s*""\\s*,\\s*"name"\\s*:\\s*""\\s*,\\s*"input"\\s*:\\s*\\{\\})',
    '"citations"\\s*:\\s*\\[\\s*\\{',
    '"content(?:_block"\\s*:|"\\s*:\\s*\\[)\\s*\\{\\s*"type"\\s*:\\s*"(?!text"|thinking"|redacted_thinking"|tool_use")',
  ].join('|'),
)
