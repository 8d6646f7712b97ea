/**
 * Whether events hold something the model produced. A delta that is empty, or a message that only begins, is nothing
 * yet; a thought may come sealed, without any text.
 */
export function says(chunk: Buffer): boolean {
  if (!signs.some((sign) => chunk.includes(sign))) return false
  const text = chunk.toString('latin1')
  return (
    producedItem.test(text) ||
    (text.includes('.delta"') && filledDelta.test(text)) ||
    (text.includes('"output_text"') && filledText.test(text))
  )
}

const signs: readonly string[] = ['.delta"', '"output_text"', '_call"', '"reasoning"', '"mcp_approval_request"']
/** A quote inside of a string has a backslash before it, so these match no words of a text. */
const producedItem = /"type":\s*"(?:[a-z_]+_call|reasoning|mcp_approval_request)"/
const filledDelta = /"delta":\s*"(?!")/
const filledText = /"text":\s*"(?!")/
