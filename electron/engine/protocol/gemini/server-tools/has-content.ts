const text = Buffer.from('"text"')
/** Parts that are something the model made, whatever is in them (`Part` of `@google/genai`). */
const others = [
  '"functionCall"',
  '"function_call"',
  '"inlineData"',
  '"inline_data"',
  '"fileData"',
  '"file_data"',
  '"executableCode"',
  '"executable_code"',
  '"codeExecutionResult"',
  '"code_execution_result"',
  '"functionResponse"',
  '"toolCall"',
  '"toolResponse"',
  '"audioTranscription"',
].map((name) => Buffer.from(name))
/** Where an answer has its facts from, if it says no more: Google sends the members around these empty, too. */
const sources =
  /"(?:groundingChunks|grounding_chunks|citationSources|citations|webSearchQueries|urlMetadata)"\s*:\s*\[\s*[{"]/
const mayHaveSources = ['"groundingMetadata"', '"citationMetadata"', '"grounding_metadata"', '"urlContextMetadata"']
/** A thought of which nothing is shown. Other signatures come with empty answers, too. */
const sealedThought =
  /"thought"\s*:\s*true[^{}]*"(?:thoughtSignature|thought_signature)"\s*:\s*"(?!")|"(?:thoughtSignature|thought_signature)"\s*:\s*"[^"]+"[^{}]*"thought"\s*:\s*true/
const thought = Buffer.from('"thought"')
const quote = 0x22,
  colon = 0x3a

/** A part with a text that is not empty, thought or not, any other part, a sealed thought, or sources. */
export function hasContent(chunk: Buffer): boolean {
  for (let at = chunk.indexOf(text); at >= 0; at = chunk.indexOf(text, at + 1)) {
    let i = at + text.length
    while (isSpace(chunk[i]) || chunk[i] === colon) i++
    if (chunk[i] === quote && chunk[i + 1] !== quote) return true
  }
  if (others.some((name) => chunk.includes(name))) return true
  if (chunk.includes(thought) && sealedThought.test(chunk.toString('latin1'))) return true
  return mayHaveSources.some((name) => chunk.includes(name)) && sources.test(chunk.toString('latin1'))
}

const isSpace = (c: number | undefined): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09
