import { frameBytes } from '../../protocol/answer/frame-bytes.ts'
import type { Reply } from '../types.ts'
import type { AnswerHead, AnswerStep } from './step.ts'

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
      if (body) reply.head(body.status, { ...body.headers, 'content-length': String(last.length) })
      reply.end(last)
    },
    error(_error, rest) {
      bytes.addBytes(rest)
      if (!body) flush()
      reply.abort()
    },
  }
}
