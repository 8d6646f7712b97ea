/** Returns the text after a byte order mark: some encoders write one, and no JSON has it (RFC 8259, 8.1). */
export const withoutBom = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
