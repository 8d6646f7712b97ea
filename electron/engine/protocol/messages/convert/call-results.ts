import type { CanonicalRequest, ToolCallPart, ToolResultPart } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { textBlock, writeContent, type Dropped } from './write-parts.ts'

/**
 * Finds the result of each call. Ids that come again (some vendors count from zero each turn) are kept apart by their
 * order.
 */
export interface CallResults {
  /** the result of the next call with this id; null when there is none */
  take(call: ToolCallPart): ToolResultPart | null
  /** true if a result stands at its call; otherwise it must be said where it is */
  placed(result: ToolResultPart): boolean
  /** a legal id that no other call has: the call's own where that can be */
  idOf(call: ToolCallPart): string
}

export function callResults(messages: CanonicalRequest['messages']): CallResults {
  const results = new Map<string, ToolResultPart[]>()
  for (const message of messages) {
    if (message.role !== 'user') continue
    for (const part of message.parts) {
      if (part.type !== 'tool-result') continue
      const known = results.get(part.callId)
      if (known) known.push(part)
      else results.set(part.callId, [part])
    }
  }
  const placed = new Set<ToolResultPart>()
  const ids = new Set<string>()
  return {
    take(call) {
      const result = results.get(call.id)?.shift() ?? null
      if (result) placed.add(result)
      return result
    },
    placed(result) {
      if (placed.has(result)) return true
      // Said on its own now, so no later call may take it.
      results.set(
        result.callId,
        (results.get(result.callId) ?? []).filter((other) => other !== result),
      )
      return false
    },
    idOf(call) {
      const legal = call.id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'toolu'
      let id = legal
      for (let n = 2; ids.has(id); n++) id = `${legal}_${n}`
      ids.add(id)
      return id
    },
  }
}

/** A call without a result makes Anthropic refuse the request, and so does an error without words. */
export function resultBlock(id: string, result: ToolResultPart | null, dropped: Dropped): JsonObject {
  const block: Record<string, unknown> = { type: 'tool_result', tool_use_id: id }
  if (!result) return { ...block, content: textBlock('No result of this call is known.'), is_error: true }
  const content = result.parts.flatMap((part) => writeContent(part, dropped))
  if (content.length > 0) block['content'] = content
  else if (result.isError) block['content'] = textBlock('The tool failed without a word.')
  if (result.isError) block['is_error'] = true
  if (result.cache) block['cache_control'] = result.cache
  return block
}

/** A result whose call is not in the conversation may not be sent as one. */
export function resultInWords(result: ToolResultPart, dropped: Dropped): JsonObject[] {
  dropped.add('tool_use_id')
  return [
    ...textBlock(`Result of ${result.name === null ? 'a tool call' : `the tool ${result.name}`} made earlier:`),
    ...result.parts.flatMap((part) => writeContent(part, dropped)),
  ]
}
