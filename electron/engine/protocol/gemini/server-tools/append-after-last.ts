import { appendAfterLastItem, insertsBehind, type Wrap } from '../../append/append-items.ts'
import { isObject, stringOf, type Edit, type Span } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { either, partsOf } from '../request-lens.ts'
import { contentsOf, placeOf } from '../request-place.ts'
import { userItem } from './results.ts'

export const appendAfterLast = (lens: RequestLens, items: readonly Buffer[]): Edit[] =>
  appendAfterLastItem(lens, placeOf(lens, 'contents'), items, bareContent)

/** ProtoJSON: a list of one may lack its brackets. */
export const bareContent: Wrap = (body, at) => (isObject(body, at) ? bare : null)
const bare = { before: '', after: '' }

/**
 * Adds one more part to the user's last content, after results too: Google counts the results, not what is beside them.
 * Google's caches have a name of their own (`cachedContent`), or hold any beginning that was sent before.
 */
export function appendTimeTag(lens: RequestLens, line: string): Edit[] {
  const { body } = lens
  const last = contentsOf(lens).at(-1)
  const role = lens.lastMessage()?.role
  if (!last || (role !== 'user' && role !== 'tool')) return []
  const list = isUsers(body, last) ? either(body, last, 'parts') : null
  const part = Buffer.from(JSON.stringify({ text: line }))
  const inside = list && partsOf(body, last).length > 0 ? insertsBehind(body, list, [part], bareContent) : null
  return inside ?? appendAfterLast(lens, [userItem(line)])
}

/** Older requests have another role for results. */
const isUsers = (body: Buffer, content: Span): boolean =>
  (stringOf(body, either(body, content, 'role')) ?? 'user').toLowerCase() === 'user'
