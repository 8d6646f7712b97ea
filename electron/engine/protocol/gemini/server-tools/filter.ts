import type { Mutable } from '../../../base/mutable.ts'
import type { Frame } from '../../answer/frame.ts'
import { knownMeaning } from '../../finish-names.ts'
import { eventFrame } from '../../join/types.ts'
import { splice, decode, member, type Edit, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-bytes/walk.ts'
import { frameScan, tokenScan, type HiddenNames, type RoundFilter, solidText } from '../../server-tools/types.ts'
import { parseObject, withoutElements, asName, asObject, type JsonObject } from '../../values.ts'
import { call as callOf, otherParts } from '../facts.ts'
import { listed, partsOf } from '../request-lens.ts'

/** A part has no index, and `STOP` ends an answer with or without calls, so only events with a hidden call change. */
export function filter(names: HiddenNames): RoundFilter {
  const hidden = hiddenParts(names)
  const concerns = (event: Frame): boolean => hidden.open || mayCall(event)

  function rewritten(event: Frame): Frame | null {
    const { data } = event
    if (!data || !event.value()) return event
    const { edits, empty } = hideCalls(data, hidden)
    round.began = hidden.began
    if (edits.length === 0) return event
    return empty ? null : eventFrame(event, splice(data, edits))
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    frame: (event) => (concerns(event) ? rewritten(event) : event),
  }
  return round
}

/** Returns the same buffer if there are no hidden calls. */
export function filterBody(body: Buffer, names: HiddenNames): Buffer {
  if (!tokenScan(names)(body) || !parseObject(body)) return body
  return splice(body, hideCalls(body, hiddenParts(names)).edits)
}

const mayCall = frameScan(['functionCall', 'function_call'])

/** Finds the parts that are hidden calls, in the order they come. */
interface HiddenParts {
  hides(part: JsonObject): boolean
  /** a hidden call goes on in the next part: Vertex AI streams arguments, with the name on their first piece only */
  readonly open: boolean
  readonly began: boolean
}

function hiddenParts(names: HiddenNames): HiddenParts {
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
function hideCalls(json: Buffer, hidden: HiddenParts): { edits: Edit[]; empty: boolean } {
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

const text = Buffer.from('"text"')
/** Parts that are something the model made, whatever is in them; a gateway may name them in snake case. */
const others = ['inlineData', 'fileData', ...Object.keys(otherParts)].flatMap((name) =>
  [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)].map((one) => Buffer.from(`"${one}"`)),
)
/** The sources of an answer that may have nothing else: Google also sends the members around these empty. */
const sources =
  /"(?:groundingChunks|grounding_chunks|citationSources|citations|webSearchQueries|urlMetadata)"\s*:\s*\[\s*[{"]/
const mayHaveSources = ['"groundingMetadata"', '"citationMetadata"', '"grounding_metadata"', '"urlContextMetadata"']
/** A thought without visible text. Other signatures also come with empty answers. */
const sealedThought =
  /"thought"\s*:\s*true[^{}]*"(?:thoughtSignature|thought_signature)"\s*:\s*"(?!")|"(?:thoughtSignature|thought_signature)"\s*:\s*"[^"]+"[^{}]*"thought"\s*:\s*true/
const thought = Buffer.from('"thought"')
const solid = new RegExp(`"text"\\s*:\\s*${solidText}`)
/** The first part has a member that is not a text's, and does not only describe a part. */
const otherPart =
  /"parts"\s*:\s*\[\s*\{\s*"(?!(?:text|thought|thoughtSignature|thought_signature|partMetadata|videoMetadata|mediaResolution|functionCall|function_call)")/
const parts = Buffer.from('"parts"')
/** The reason why an answer was blocked; for a call that could not be read, the text is its bytes. */
const blocked = new RegExp(`"blockReasonMessage"\\s*:\\s*${solidText}`)
const ended = new RegExp(`"finishMessage"\\s*:\\s*${solidText}`)
const endWord = /"finishReason"\s*:\s*"(\w+)"/
const whyMembers = ['"finishMessage"', '"blockReasonMessage"']
const refused = (json: string): boolean =>
  blocked.test(json) || (ended.test(json) && knownMeaning(endWord.exec(json)?.[1] ?? '') === 'content-filter')
/** Not the empty call that ends a call's pieces, nor one of zero values. */
const call = /"function(?:Call|_call)"\s*:\s*\{[^}]*?:\s*(?:"[^"]|[\d[]|true)/

/** An answer without content is never larger. */
const mostEmptyBytes = 256 * 1024

/**
 * True for a part with visible text, thought or not, any other part, a sealed thought, sources, or a reason for a
 * block.
 */
export function hasContent(chunk: Buffer): boolean {
  if (chunk.length > mostEmptyBytes) return true
  if (others.some((name) => chunk.includes(name))) return true
  const mayCite = mayHaveSources.some((name) => chunk.includes(name))
  const mayRefuse = whyMembers.some((name) => chunk.includes(name))
  if (!mayCite && !mayRefuse && ![text, thought, parts].some((name) => chunk.includes(name))) return false
  const json = chunk.toString('latin1')
  return (
    solid.test(json) ||
    (mayRefuse && refused(json)) ||
    call.test(json) ||
    otherPart.test(json) ||
    sealedThought.test(json) ||
    (mayCite && sources.test(json))
  )
}
