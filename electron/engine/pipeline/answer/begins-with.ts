/** In front of a text they are its byte order mark, which may come in pieces. */
const bom = new Set([0xef, 0xbb, 0xbf])

/**
 * What the first bytes of an answer are, whatever it is labelled: no line of a stream of events begins as JSON does.
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
