/**
 * A text or thinking with a sign in it, the signature of a thinking that is not shown, or a call: in bytes, JSON tokens
 * of what is said within a text have escaped quotes and are not found.
 */
export const says = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))

const said =
  /"(?:text|thinking|partial_json|signature|data)"\s*:\s*"(?:\\[nrt]|\s)*(?:[^"\\\s]|\\[^nrt])|"type"\s*:\s*"\w*tool_use"/
