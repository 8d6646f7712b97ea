import { imageTokens } from '../canonical/estimate-tokens.ts'

/** About what a token of English, of code and of JSON is long. */
const bytesPerToken = 4
/** A payload that is shorter costs less by its bytes. */
const longPayload = imageTokens * bytesPerToken

/** A long payload can't lie between two looks: of each so many bytes in a row are looked at. */
const stride = 4_096
const sampleSize = 64
/** How far before a payload its member's name stands. */
const nameRoom = 32

/**
 * Input tokens of a request, from its bytes. Images and files that stand in it as base64 (data URLs, Messages' and
 * Gemini's `data`, Chat's `file_data`) count as an image does: their bytes are no text that a model reads.
 */
export function estimateTokens(body: Buffer): number {
  const nextQuote = cursor(body, 0x22)
  const nextBackslash = cursor(body, 0x5c)
  const nextSpace = cursor(body, 0x20)
  const nextParenthesis = cursor(body, 0x29)

  /** Behind the payload's last byte. It may stand within a text, and `/` may be written `\/`. */
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
    // The next payload may begin right behind this one, and what is no payload is not looked at twice.
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

/** It began behind the look before this one. */
function payloadStart(body: Buffer, within: number): number {
  let i = within
  const least = Math.max(0, within - stride - sampleSize)
  while (i > least && isPayload(body[i - 1] ?? 0)) i--
  return i
}

const isNamed = (body: Buffer, start: number): boolean =>
  /(?:;base64,|"(?:data|file_data)"\s*:\s*")$/.test(body.toString('latin1', Math.max(0, start - nameRoom), start))

/**
 * Next place of a byte, asked for from ever further places: the body is gone through once, however often it is asked.
 */
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
