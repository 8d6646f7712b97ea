import { solidText } from '../../server-tools/solid-text.ts'
import { knownMeaning } from '../../finish-names.ts'
import { otherParts } from '../facts.ts'

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
