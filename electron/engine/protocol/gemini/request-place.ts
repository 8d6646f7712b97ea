import { isObject, member, type Span } from '../json-bytes/index.ts'
import { rootOf } from '../json-bytes/walk.ts'
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
  // The members of the body are known; to search forty megabytes for each takes longer than others should wait.
  const isBody = lens.place('contents') !== null
  const request = isBody ? null : requestObject(lens)
  for (const name of names) {
    const at = request ? member(lens.body, request, name) : lens.place(name)
    if (at) return at
  }
  return null
}

export const contentsOf = (lens: RequestLens): readonly Span[] => listed(lens.body, placeOf(lens, 'contents'))
