import { elements, isArray, isObject, type Edit, type Span } from '../json-bytes/index.ts'
import { listOf, memberEdits, rootOf } from '../json-members.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/**
 * Returns a copy of the client's list of tools, so that the request's bytes can be freed; null if it has none, or an
 * empty one.
 */
export function toolListOf(lens: RequestLens, at: Span | null = lens.place('tools')): Buffer | null {
  const { body } = lens
  if (!at || (lens.toolCount() ?? 0) === 0) return null
  // Gemini takes one entry without its brackets.
  return isObject(body, at) || elements(body, at).length > 0 ? Buffer.from(body.subarray(at.start, at.end)) : null
}

/** Adds this list of tools to a request that has none. */
export const toolListEdits = (lens: RequestLens, tools: Buffer, object: Span = rootOf(lens.body)): Edit[] =>
  memberEdits(lens.body, object, { tools })

/** Adds declarations after the client's own, which are at `at`; without such a list, adds one. */
export function declareBehind(lens: RequestLens, at: Span | null, ours: readonly Buffer[]): Edit[] {
  if (ours.length === 0) return []
  return at && isArray(lens.body, at) ? [behindLast(lens.body, at, ours)] : toolListEdits(lens, listOf(ours))
}
