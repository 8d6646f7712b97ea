import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** false: the connection broke before the end */
  whole: boolean
}

export interface Posting {
  headers?: Readonly<Record<string, string>>
  /** offsets at which the body is cut into writes of their own */
  cuts?: readonly number[]
  /** without a content-length */
  chunked?: boolean
}

/** A client call that can be watched and left in any phase. */
export interface Call {
  /** the head of the answer */
  head: Promise<IncomingMessage>
  answer: Promise<Answer>
  /** so far */
  received(): Buffer
  leave(): void
}

interface Target {
  baseUrl: string
  key: string
}

/** Posts bytes as they are, on a connection of its own, and gives the answer's bytes as they came. */
export const post = (engine: Target, path: string, body: string | Buffer, posting: Posting = {}): Promise<Answer> =>
  call(engine, path, body, posting).answer

export function call(
  engine: Target,
  path: string,
  body: string | Buffer,
  { headers = {}, cuts = [], chunked = false }: Posting = {},
): Call {
  const bytes = Buffer.from(body)
  const chunks: Buffer[] = []
  const outgoing = request(engine.baseUrl + path, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length }),
      authorization: `Bearer ${engine.key}`,
      ...headers,
    },
  })
  const head = new Promise<IncomingMessage>((resolve, reject) => outgoing.on('response', resolve).on('error', reject))
  const answer = head.then(
    (response) =>
      new Promise<Answer>((resolve) => {
        const done = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            whole: response.complete,
          })
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', done)
          .on('error', done)
      }),
  )
  // Who leaves a call does not wait for it.
  answer.catch(() => undefined)
  write(
    outgoing,
    bytes,
    [...cuts].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b),
  )
  return {
    head,
    answer,
    received: () => Buffer.concat(chunks),
    leave: () => {
      outgoing.destroy()
    },
  }
}

function write(outgoing: ClientRequest, bytes: Buffer, cuts: readonly number[], from = 0): void {
  const [cut, ...later] = cuts
  if (cut === undefined) outgoing.end(bytes.subarray(from))
  // Written one after the other, so that each piece is a segment of its own.
  else outgoing.write(bytes.subarray(from, cut), () => write(outgoing, bytes, later, cut))
}

/** Whether anybody takes connections there. */
export const connects = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
