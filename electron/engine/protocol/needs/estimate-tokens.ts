import { imageTokens } from '../canonical/estimate-tokens.ts'

/** The approximate length of a token of English, code or JSON. */
const bytesPerToken = 4
/** A shorter payload costs less counted by its bytes. */
const longPayload = imageTokens * bytesPerToken

/** One sample is read per stride, so a long payload can't lie between two samples. */
const stride = 4_096
const sampleSize = 64
/** The most bytes between a member's name and its payload. */
const nameRoom = 32

/**
 * Estimates the input tokens of a request from its bytes. Images and files in base64 (data URLs, Messages' and Gemini's
 * `data`, Chat's `file_data`) count as an image does: the model does not read their bytes as text.
 */
export function estimateTokens(body: Buffer): number {
  const nextQuote = cursor(body, 0x22)
  const nextBackslash = cursor(body, 0x5c)
  const nextSpace = cursor(body, 0x20)
  const nextParenthesis = cursor(body, 0x29)

  /**
   * Returns the offset after the payload's last byte. The payload may be within a text, and `/` may be written `\/`.
   */
  function payloadEnd(from: number): number {
    const end = Math.min(nextQuote(from), nextSpace(from), nextParenthesis(from))
    let at = nextBackslash(from)
    while (at < end && body[at + 1] === slash) at = nextBackslash(at + 2)
    return Math.min(end, at)
  }

  let payloadBytes = 0
  let payloads = 0
  let i = 0
  while (i + sampleSize <= body.length) {
    if (!isBase64(body, i)) {
      i += stride
      continue
    }
    const start = payloadStart(body, i)
    const end = payloadEnd(i)
    if (end - start > longPayload && isNamed(body, start)) {
      payloads++
      payloadBytes += end - start
    }
    // The next payload may begin right after this one, and no bytes are sampled twice.
    i = Math.max(end, i + stride)
  }
  return Math.ceil((body.length - payloadBytes) / bytesPerToken) + payloads * imageTokens
}

const slash = 0x2f

/** The backslash is that of `\/`. */
const isPayload = (c: number): boolean =>
  (c >= 0x61 && c <= 0x7a) ||
  (c >= 0x41 && c <= 0x5a) ||
  (c >= 0x2f && c <= 0x39) ||
  c === 0x2b ||
  c === 0x2d ||
  c === 0x3d ||
  c === 0x5f ||
  c === 0x5c

function isBase64(body: Buffer, at: number): boolean {
  for (let i = at; i < at + sampleSize; i++) if (!isPayload(body[i] ?? 0)) return false
  return true
}

/** The payload began after the sample before this one. */
function payloadStart(body: Buffer, within: number): number {
  let i = within
  const least = Math.max(0, within - stride - sampleSize)
  while (i > least && isPayload(body[i - 1] ?? 0)) i--
  return i
}

const isNamed = (body: Buffer, start: number): boolean =>
  /(?:;base64,|"(?:data|file_data)"\s*:\s*")$/.test(body.toString('latin1', Math.max(0, start - nameRoom), start))

/** Returns the next place of a byte at or after `from`, which must only grow: all calls together read the body once. */
function cursor(body: Buffer, sign: number): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) {
      const found = body.indexOf(sign, from)
      at = found < 0 ? body.length : found
    }
    return at
  }
}
