import { behindSign, type Edit, type Span } from './json-bytes/index.ts'
import { comma, joined } from './json-members.ts'

/** The edit that adds values at the end of a list, every other byte as it was; `list` must be one. */
export function behindLast(json: Buffer, list: Span, values: readonly Buffer[]): Edit {
  const end = behindSign(json, list.end - 1)
  const isEmpty = end === list.start + 1
  return { start: end, end, replacement: Buffer.concat(isEmpty ? joined(values) : [comma, ...joined(values)]) }
}

/** Edits that take elements out of a list, each with one of the commas beside it. `list` holds all of them in order. */
export function withoutElements(list: readonly Span[], isOut: (index: number) => boolean): Edit[] {
  const edits: Edit[] = []
  let kept = false
  for (const [i, at] of list.entries()) {
    if (!isOut(i)) {
      kept = true
      continue
    }
    const [before, behind] = [list[i - 1], list[i + 1]]
    edits.push({
      start: kept && before ? before.end : at.start,
      end: !kept && behind ? behind.start : at.end,
      replacement: '',
    })
  }
  return edits
}
