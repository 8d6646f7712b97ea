import { frameBytes } from '../../protocol/answer/frame-bytes.ts'
import type { Reply } from '../types.ts'
import type { AnswerHead, AnswerStep, Headers } from './step.ts'

/** Built member by member: in Node 20, V8 takes a microsecond to add a member to a spread copy. */
function withLength(headers: Headers, length: number): Headers {
  const whole: Headers = { 'content-length': String(length) }
  for (const name of Object.keys(headers)) if (name !== 'content-length') whole[name] = headers[name] ?? ''
  return whole
}

/** The last step: writes to the client, neighbours together. A body goes out with its length. */
export function writeAnswer(reply: Reply): AnswerStep {
  const bytes = frameBytes()
  let body: AnswerHead | null = null

  function flush(): boolean {
    const whole = bytes.take()
    return whole.length === 0 || reply.write(whole)
  }

  return {
    head(head) {
      if (head.form === 'body') body = head
      else reply.head(head.status, head.headers)
    },
    frame: (frame) => bytes.add(frame),
    flush: () => body !== null || flush(),
    end(rest) {
      bytes.addBytes(rest)
      const last = bytes.take()
      if (body) reply.head(body.status, withLength(body.headers, last.length))
      reply.end(last)
    },
    error(_error, rest) {
      bytes.addBytes(rest)
      if (!body) flush()
      reply.abort()
    },
  }
}
