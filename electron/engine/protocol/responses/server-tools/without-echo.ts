import { eventBytes } from '../../join/event-bytes.ts'
import { elements, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import { rewriteEvents } from '../../server-tools/rewrite-events.ts'
import { tokenScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames } from '../../server-tools/types.ts'
import { asName, parseObject } from '../../values.ts'

/**
 * A provider repeats the request as it got it (`Response` of the `openai` package: `tools`, `previous_response_id`).
 * What Onward put into it is taken out again, every other byte stays.
 */
export function withoutEcho(bytes: Buffer, names: HiddenNames, previousResponseId: string | null): Buffer {
  if (!repeats(bytes)) return bytes
  if (bytes[0] === 0x7b) {
    const edits = parseObject(bytes) ? echoEdits(bytes, rootOf(bytes), names, previousResponseId) : []
    return edits.length === 0 ? bytes : splice(bytes, edits)
  }
  return rewriteEvents(bytes, (block) => {
    const { data, raw } = block
    if (!data || !repeats(data) || !block.value()) return raw
    const response = member(data, rootOf(data), 'response')
    const edits = response ? echoEdits(data, response, names, previousResponseId) : []
    return edits.length === 0 ? raw : eventBytes(block, splice(data, edits))
  })
}

const repeats = tokenScan(['tools', 'previous_response_id'])

function echoEdits(json: Buffer, response: Span, names: HiddenNames, previousResponseId: string | null): Edit[] {
  const previous = previousResponseId === null ? null : member(json, response, 'previous_response_id')
  const sent = JSON.stringify(previousResponseId)
  const tools = member(json, response, 'tools')
  const list = tools && json[tools.start] === 0x5b ? elements(json, tools) : []
  const isOurs = (i: number): boolean => {
    const tool = parseObject(json.subarray(list[i]?.start, list[i]?.end))
    return tool?.['type'] === 'function' && names.has(asName(tool['name']) ?? '')
  }
  return [
    ...(previous && json.toString('utf8', previous.start, previous.end) !== sent
      ? [{ ...previous, replacement: sent }]
      : []),
    ...withoutElements(list, isOurs),
  ].sort((a, b) => a.start - b.start)
}
