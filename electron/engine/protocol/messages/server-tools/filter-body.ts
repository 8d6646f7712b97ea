import { elements, member, splice } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import type { HiddenNames } from '../../server-tools/types.ts'
import { parseObject } from '../../values.ts'
import { tokenScan } from '../../server-tools/token-scan.ts'
import { blocks, isCall } from '../facts.ts'
import { isHidden, plainStop } from './filter.ts'

const callType = Buffer.from('"tool_use"')

/** A whole answer without hidden calls; the same buffer when it has none, or is no JSON object. */
export function filterBody(body: Buffer, names: HiddenNames): Buffer {
  // Most answers call nothing, which one search shows; the names take one search each.
  if (!body.includes(callType) || !tokenScan(names)(body)) return body
  const value = parseObject(body)
  const list = value && member(body, rootOf(body), 'content')
  if (!value || !list) return body
  const all = blocks(value)
  const hidden = all.map((block) => isHidden(block, names))
  if (!hidden.includes(true)) return body
  const hasCall = all.some((block, i) => isCall(block) && !hidden[i])
  return splice(body, [
    ...withoutElements(elements(body, list), (i) => hidden[i] === true),
    ...(hasCall ? [] : plainStop(body, rootOf(body), value)),
  ])
}
