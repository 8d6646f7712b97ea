/** The bytes of a byte order mark, which may precede a text and come in pieces. */
const bom = new Set([0xef, 0xbb, 0xbf])

/**
 * Reads from an answer's first bytes what it is, whatever its label: no line of a stream of events begins as JSON does.
 * `blanks`: not known yet. DeepSeek sends empty lines while a request that does not stream waits for its turn
 * (https://api-docs.deepseek.com/quick_start/rate_limit).
 */
export function beginsWith(chunk: Uint8Array): 'object' | 'list' | 'blanks' | 'other' {
  for (const byte of chunk) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || bom.has(byte)) continue
    return byte === 0x7b ? 'object' : byte === 0x5b ? 'list' : 'other'
  }
  return 'blanks'
}
