type Headers = Record<string, string | string[]>

/**
 * Headers that describe the very bytes of one body: true of an answer that goes by untouched, wrong (or, for the
 * length, a client that waits for ever) on one that is made of several rounds, loses a call or gains an error. Lengths,
 * ranges and validators: RFC 9110, 8.6, 8.8 and 14. Digests: RFC 9530 and its forerunner RFC 3230. Signatures over
 * them: RFC 9421. `trailer` announces any of them after the body.
 */
const factsOfBytes = new Set([
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'signature',
  'signature-input',
  'trailer',
])

/** Returns the headers without those that describe bytes another body does not have. Names in lower case. */
export function withoutFactsOfBytes(headers: Headers): Headers {
  const left: Headers = {}
  for (const name of Object.keys(headers)) if (!factsOfBytes.has(name)) left[name] = headers[name] ?? ''
  return left
}
