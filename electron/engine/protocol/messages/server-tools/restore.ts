import { elements, isString, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { joined, memberEdits } from '../../json-members.ts'
import { withoutElements } from '../../values.ts'
import type { AssistantTurn, HiddenHistory } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { partsOf, roleOf } from './history.ts'
import { answerWith } from './restore-answer.ts'
import { keptOf, saidBefore } from './said-before.ts'

/**
 * One edit for the answer, others for the user's message that takes the results. A cache mark on a block that goes is
 * lost with it: it only says how far a prompt is worth keeping, and clients set theirs anew in every request.
 */
export function restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[] {
  const { body } = lens
  const items = lens.items()
  const own = items.slice(turn.first, turn.last + 1)
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last) return []
  const results = hidden.calls.length > 0 ? hidden.results : []
  const taker = results.length > 0 ? takerOf(body, items, turn.last) : null
  const answer = answerOf(body, own, hidden)
  const whole = [
    ...hidden.before.map((item) => Buffer.from(item)),
    ...(answer ? [answer] : []),
    ...(results.length > 0 && !taker ? [Buffer.from(`{"role":"user","content":[${results.join(',')}]}`)] : []),
  ]
  const edits: Edit[] =
    whole.length > 0
      ? [{ start: first.start, end: last.end, replacement: Buffer.concat(joined(whole)) }]
      : withoutElements(items, (i) => i >= turn.first && i <= turn.last)
  return taker ? [...edits, ...takeResults(body, taker, results)] : edits
}

/** Returns the rest of the client's copy of an answer, its hidden calls in it; null when nothing is left. */
function answerOf(body: Buffer, items: readonly Span[], { before, filler, calls }: HiddenHistory): Buffer | null {
  const parts = items.flatMap((item, i) => partsOf(body, item).map((part) => ({ ...part, item: i })))
  const kept = keptOf(parts, saidBefore(before), filler)
  const edits = answerWith(
    body,
    items,
    parts.map((part, i) => ({ ...part, kept: kept[i] ?? 'all' })),
    calls,
  )
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0]
  return (
    edits &&
    splice(
      body.subarray(start, end),
      edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    )
  )
}

/** The user's message that answers the client's own calls, or follows at once. System messages may stand between. */
function takerOf(body: Buffer, items: readonly Span[], last: number): Span | null {
  let index = last + 1
  for (let item = items[index]; item && roleOf(body, item) === 'system'; item = items[index]) index++
  const item = items[index]
  if (!item || roleOf(body, item) !== 'user' || !member(body, item, 'content')) return null
  return index === last + 1 || partsOf(body, item).some(({ block }) => block['type'] === 'tool_result') ? item : null
}

/**
 * Results have to stand in front of everything else in their message. The edits touch no byte of its texts, so that
 * these can be edited in the same go.
 */
function takeResults(body: Buffer, item: Span, results: readonly string[]): Edit[] {
  const at = member(body, item, 'content')
  if (!at) return []
  const front = `[${results.join(',')}`
  if (isString(body, at)) {
    const colon = body.lastIndexOf(':', at.start)
    return [
      { start: colon, end: colon + 1, replacement: `:${front},{"type":"text","text":` },
      { start: at.end, end: at.end, replacement: '}]' },
    ]
  }
  const list = elements(body, at)
  if (list.length === 0) return memberEdits(body, item, { content: `${front}]` })
  return [{ start: at.start, end: at.start + 1, replacement: `${front},` }]
}
