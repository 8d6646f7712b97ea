import { OnwardError } from '../../base/errors.ts'
import { isArray, isObject, isString, splice } from '../json-bytes/index.ts'
import { listOf } from '../json-members.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/**
 * The request with items behind the last of its list, every other byte as it was. A bare text, or content, becomes the
 * first item.
 */
export function appendItems(
  lens: RequestLens,
  list: 'messages' | 'input' | 'contents',
  items: readonly Buffer[],
  fromText: (text: Buffer) => Buffer,
): Buffer {
  const { body } = lens
  const at = lens.place(list)
  if (at && isString(body, at))
    return splice(body, [{ ...at, replacement: listOf([fromText(body.subarray(at.start, at.end)), ...items]) }])
  if (at && list === 'contents' && isObject(body, at))
    return splice(body, [{ ...at, replacement: listOf([body.subarray(at.start, at.end), ...items]) }])
  if (!at || !isArray(body, at))
    throw new OnwardError('cannot-continue', `The request has no list “${list}” that a followup could be added to.`)
  return splice(body, [behindLast(body, at, items)])
}
