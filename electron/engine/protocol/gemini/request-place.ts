import { isObject, member, type Span } from '../json-bytes/index.ts'
import { rootOf } from '../json-members.ts'
import type { RequestLens } from '../types.ts'
import { listed } from './request-lens.ts'

/** Returns the request itself: the body, or the request wrapped for countTokens. */
export function requestObject(lens: RequestLens): Span {
  if (lens.place('contents')) return rootOf(lens.body)
  const wrapped = lens.place('generateContentRequest') ?? lens.place('generate_content_request')
  return wrapped && isObject(lens.body, wrapped) ? wrapped : rootOf(lens.body)
}

/** Returns the place of a member of the request, under the first of these names that is there. */
export function placeOf(lens: RequestLens, ...names: readonly string[]): Span | null {
  const request = requestObject(lens)
  for (const name of names) {
    const at = member(lens.body, request, name)
    if (at) return at
  }
  return null
}

export const contentsOf = (lens: RequestLens): readonly Span[] => listed(lens.body, placeOf(lens, 'contents'))
