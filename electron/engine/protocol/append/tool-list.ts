import { elements, isObject, type Edit, type Span } from '../json-bytes/index.ts'
import { memberEdits, rootOf } from '../json-members.ts'
import type { RequestLens } from '../types.ts'

/** A copy of the client's list of tools, so that the request's bytes can go; null: none, or an empty one. */
export function toolListOf(lens: RequestLens, at: Span | null = lens.place('tools')): Buffer | null {
  const { body } = lens
  if (!at || (lens.toolCount() ?? 0) === 0) return null
  // Gemini takes one entry without its brackets.
  return isObject(body, at) || elements(body, at).length > 0 ? Buffer.from(body.subarray(at.start, at.end)) : null
}

/** Puts this list of tools in the place of none. */
export const toolListEdits = (lens: RequestLens, tools: Buffer, object: Span = rootOf(lens.body)): Edit[] =>
  memberEdits(lens.body, object, { tools })
