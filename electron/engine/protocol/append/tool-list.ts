import { elements, isArray, splice, type Span } from '../json-bytes/index.ts'
import { memberEdits, rootOf } from '../json-members.ts'
import type { RequestLens } from '../types.ts'

/** A copy of the client's list of tools, so that the request's bytes can go; null: none, or an empty one. */
export function toolListOf(lens: RequestLens, at: Span | null = lens.place('tools')): Buffer | null {
  if (!at || !isArray(lens.body, at) || elements(lens.body, at).length === 0) return null
  return Buffer.from(lens.body.subarray(at.start, at.end))
}

/** The request with this list of tools in the place of none. */
export const withToolList = (lens: RequestLens, tools: Buffer, object: Span = rootOf(lens.body)): Buffer => splice(lens.body, memberEdits(lens.body, object, { tools }))
