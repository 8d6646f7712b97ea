import { rawClient } from './raw-client.ts'

/** An answer as it stood on the wire. Header names in lower case; of a header sent twice the last. */
export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  /** bytes after the head, without the framing of chunked transfer */
  body: Buffer
  /** the chunked body had its last chunk; true where the answer has a length instead */
  whole: boolean
}

/** Sends one request (with `Connection: close`) and reads until the server closes. */
export async function answerTo(port: number, request: Buffer): Promise<HttpAnswer> {
  const client = rawClient(port)
  client.send(request)
  const bytes = Buffer.from(await client.closed, 'latin1')
  const split = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.toString('latin1', 0, split).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = bytes.subarray(split + 4)
  const status = Number(first.split(' ')[1])
  return headers['transfer-encoding'] === 'chunked'
    ? { status, headers, ...unchunked(rest) }
    : { status, headers, body: rest, whole: true }
}

/** RFC 9112, 7.1: a size in hex, a line break, so many bytes, a line break; a size of 0 ends it. */
function unchunked(bytes: Buffer): { body: Buffer; whole: boolean } {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return { body: Buffer.concat(parts), whole: false }
    const size = parseInt(bytes.toString('latin1', at, line), 16)
    if (size === 0) return { body: Buffer.concat(parts), whole: true }
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
