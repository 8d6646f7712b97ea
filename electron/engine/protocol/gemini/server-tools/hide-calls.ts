import type { Mutable } from '../../../base/mutable.ts'
import { decode, member, type Edit, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import type { HiddenNames } from '../../server-tools/types.ts'
import { asName, asObject, type JsonObject } from '../../values.ts'
import { call as callOf } from '../facts.ts'
import { listed, partsOf } from '../request-lens.ts'

/** Finds the parts that are hidden calls, in the order they come. */
interface HiddenParts {
  hides(part: JsonObject): boolean
  /** a hidden call goes on in the next part: Vertex AI streams arguments, with the name on their first piece only */
  readonly open: boolean
  readonly began: boolean
}

export function hiddenParts(names: HiddenNames): HiddenParts {
  const hiding: Mutable<HiddenParts> = {
    open: false,
    began: false,
    hides(part) {
      const call = callOf(part)
      if (!call) return false
      const name = asName(call['name'])
      const hidden = name === null ? hiding.open : names.has(name)
      hiding.open = hidden && call['willContinue'] === true
      hiding.began ||= hidden
      return hidden
    },
  }
  return hiding
}

/**
 * Edits that take hidden calls out of a response, which is valid JSON; `empty`: nothing is left that a client needs.
 */
export function hideCalls(json: Buffer, hidden: HiddenParts): { edits: Edit[]; empty: boolean } {
  const edits: Edit[] = []
  let empty = true
  for (const candidate of listed(json, member(json, rootOf(json), 'candidates'))) {
    const content = member(json, candidate, 'content')
    const parts = content ? partsOf(json, content) : []
    const kept = parts.filter((part) => !hidden.hides(asObject(decode(json, part)) ?? {}))
    if (kept.length > 0 || hasMore(json, candidate)) empty = false
    if (kept.length < parts.length) edits.push(...without(parts, kept))
  }
  return { edits, empty: empty && member(json, rootOf(json), 'promptFeedback') === null }
}

/** True if the candidate has something beside its parts: its finish, or its sources. Counts so far come again. */
const hasMore = (json: Buffer, candidate: Span): boolean =>
  ['finishReason', 'groundingMetadata', 'citationMetadata', 'urlContextMetadata', 'logprobsResult'].some(
    (name) => member(json, candidate, name) !== null,
  )

/** A content has at least one part, so an empty text takes the place of all. */
function without(parts: readonly Span[], kept: readonly Span[]): Edit[] {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return []
  if (kept.length === 0) return [{ start: first.start, end: last.end, replacement: '{"text":""}' }]
  const stays = new Set<Span | undefined>(kept)
  return withoutElements(parts, (i) => !stays.has(parts[i]))
}
