const text = Buffer.from('"text"')
/** Parts that are something the model made, whatever is in them. */
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
].map((name) => Buffer.from(name))
const quote = 0x22,
  colon = 0x3a

/** A part with a text that is not empty, thought or not, or any other part. */
export function says(chunk: Buffer): boolean {
  for (let at = chunk.indexOf(text); at >= 0; at = chunk.indexOf(text, at + 1)) {
    let i = at + text.length
    while (isSpace(chunk[i]) || chunk[i] === colon) i++
    if (chunk[i] === quote && chunk[i + 1] !== quote) return true
  }
  return others.some((name) => chunk.includes(name))
}

const isSpace = (c: number | undefined): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09
