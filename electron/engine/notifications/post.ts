import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import type { Transport } from '../providers/types.ts'
import type { OutsideRequest } from './payload.ts'
import type { Answer } from './answer.ts'

const TIMEOUT_MS = 10_000
/** More of an answer is not read. */
const MOST_BYTES = 16 * 1024

export type Posted = { kind: 'answer'; answer: Answer } | { kind: 'timeout' } | { kind: 'unreachable' }

/** One call. Redirects are not followed: the message is meant for this address. Never rejects. */
export function post(
  { transport, clock }: { transport: Transport; clock: Clock },
  { url, headers, body }: OutsideRequest,
  signal: AbortSignal,
): Promise<Posted> {
  return new Promise((resolve) => {
    let head: Pick<Answer, 'status' | 'headers'> | null = null
    const chunks: Buffer[] = []
    let bytes = 0
    let call: { abort(): void } | null = null
    const done = (posted: Posted) => {
      late.dispose()
      signal.removeEventListener('abort', leave)
      resolve(posted)
    }
    const leave = () => {
      done({ kind: 'unreachable' })
      call?.abort()
    }
    const answered = (): Posted =>
      head === null
        ? { kind: 'unreachable' }
        : { kind: 'answer', answer: { ...head, body: Buffer.concat(chunks).toString('utf8') } }
    const late = clock.after(TIMEOUT_MS, () => {
      // Its verdict is in the head: a body that never ends changes nothing.
      done(head === null ? { kind: 'timeout' } : answered())
      call?.abort()
    })
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    try {
      call = transport.send(
        {
          url,
          method: 'POST',
          headers,
          body: Buffer.from(body),
          timeouts: { connectMs: TIMEOUT_MS, firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS },
        },
        {
          onHead(status, given) {
            head = { status, headers: given }
          },
          onData(chunk) {
            if (bytes < MOST_BYTES) chunks.push(chunk.subarray(0, MOST_BYTES - bytes))
            bytes += chunk.length
            if (bytes <= MOST_BYTES) return true
            done(answered())
            call?.abort()
            return true
          },
          onEnd: () => done(answered()),
          onError: (error) => done(head === null ? failed(error) : answered()),
        },
      )
    } catch (error) {
      done(failed(error))
    }
  })
}

const failed = (error: unknown): Posted =>
  OnwardError.isInstance(error) && error.code === 'upstream-timeout' ? { kind: 'timeout' } : { kind: 'unreachable' }
