import { isObject, member, type Span } from '../json-bytes/index.ts'
import { rootOf } from '../json-members.ts'
import type { RequestLens } from '../types.ts'
import { listed } from './request-lens.ts'

/** The request itself: the body, or what countTokens wraps. */
export function requestObject(lens: RequestLens): Span {
  if (lens.place('contents')) return rootOf(lens.body)
  const wrapped = lens.place('generateContentRequest') ?? lens.place('generate_content_request')
  return wrapped && isObject(lens.body, wrapped) ? wrapped : rootOf(lens.body)
}

/** A place of the request's own, under the first of these names that is there. */
export function placeOf(lens: RequestLens, ...names: readonly string[]): Span | null {
  const request = requestObject(lens)
  for (const name of names) {
    const at = member(lens.body, request, name)
    if (at) return at
  }
  return null
}

/** Places of the contents. */
export const contentsOf = (lens: RequestLens): readonly Span[] => listed(lens.body, placeOf(lens, 'contents'))
