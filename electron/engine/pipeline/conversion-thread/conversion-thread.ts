import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError, systemCodeOf } from '../../base/errors.ts'
import { ownShare } from '../../base/work.ts'
import { asBuffer } from '../../protocol/answer/frame.ts'
import type { AnswerJob, ConvertedAnswer, RequestJob, WrittenRequest } from './convert.ts'
import type { KeptOfTurn } from '../kept-thinking.ts'

/** A request to the thread; `write` comes after the `read` of the same request. */
export type ThreadRequest =
  | { kind: 'read'; job: RequestJob }
  | { kind: 'write'; kept: KeptOfTurn | null }
  | { kind: 'answer'; job: AnswerJob }

export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | {
      kind: 'refused'
      code: string
      message: string
      status: number
      retryable: boolean
      details: Readonly<Record<string, unknown>>
    }

/** Converts long requests and answers in a thread, so that other work does not wait. */
export interface ConversionThread {
  /** `keptFor`: returns what is kept of the conversation in which these calls were made. @throws OnwardError */
  request(
    job: RequestJob,
    keptFor: (callIds: readonly string[]) => KeptOfTurn | null,
    signal: AbortSignal,
  ): Promise<WrittenRequest>
  /** @throws OnwardError */
  answer(job: AnswerJob, signal: AbortSignal): Promise<ConvertedAnswer>
}

/** Many times what the longest request takes. */
const MOST_MS = 60_000
const PIECE_BYTES = 1024 * 1024
const MOST_MEMORY_MB = 1024
/** A thread that is idle for this long ends: its memory is worth more than the moment that its start takes. */
const IDLE_MS = 30_000

/**
 * One thread for all, started at the first use; further jobs wait their turn. A client that leaves ends the thread
 * during its job. `program`: the built thread.ts.
 */
export function conversionThread(
  clock: Pick<Clock, 'after'>,
  program: URL,
  mostMemoryMb = MOST_MEMORY_MB,
): ConversionThread {
  let worker: Worker | null = null
  let idle: Disposable | null = null
  let last: Promise<unknown> = Promise.resolve()

  function end(): void {
    idle?.dispose()
    idle = null
    void worker?.terminate()
    worker = null
  }

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(program, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb, stackSizeMb: 4 },
    })
    // A running thread must not keep the process from ending.
    made.unref()
    // ... and one that ends between two jobs fails no job.
    made.on('error', () => undefined)
    made.once('exit', () => {
      if (worker === made) worker = null
    })
    return (worker = made)
  }

  /** Sends one request to the thread. `moved`: its buffers that are transferred instead of copied. */
  function say(ask: ThreadRequest, signal: AbortSignal, moved: readonly Buffer<ArrayBuffer>[] = []): Promise<unknown> {
    const thread = started()
    return new Promise((resolve, reject) => {
      const failed = (error: OnwardError): void => {
        over()
        end()
        reject(error)
      }
      const timer = clock.after(MOST_MS, () => failed(failure(`takes more than ${MOST_MS / 1000} s`)))
      const leave = (): void => failed(left())
      const told = (answer: ThreadReply): void => {
        over()
        if (answer.kind === 'done') return resolve(answer.result)
        const { code, message, ...options } = answer
        reject(new OnwardError(code, message, options))
      }
      const died = (cause: unknown): void =>
        failed(failure(isOutOfMemory(cause) ? 'takes more memory than it gets' : 'failed', cause))
      const ended = (code: number): void => failed(failure(`ended early (${code})`))
      function over(): void {
        timer.dispose()
        signal.removeEventListener('abort', leave)
        thread.off('message', told).off('error', died).off('exit', ended)
      }
      signal.addEventListener('abort', leave, { once: true })
      thread.on('message', told).on('error', died).on('exit', ended)
      thread.postMessage(
        ask,
        moved.map(({ buffer }) => buffer),
      )
    })
  }

  /** A job with several requests has the thread to itself until it is done. */
  function inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = last.then(async () => {
      if (signal.aborted) throw left()
      idle?.dispose()
      return work()
    })
    last = turn
      .catch(() => undefined)
      .then(() => {
        idle?.dispose()
        idle = worker && clock.after(IDLE_MS, end)
      })
    return turn
  }

  return {
    request: (job, keptFor, signal) =>
      inTurn(async () => {
        const body = await copied(job.body)
        const callIds = (await say({ kind: 'read', job: { ...job, body } }, signal, [body])) as readonly string[]
        return (await say({ kind: 'write', kept: keptFor(callIds) }, signal)) as WrittenRequest
      }, signal),
    answer: (job, signal) =>
      inTurn(async () => {
        const body = await copied(job.body)
        const answer = (await say({ kind: 'answer', job: { ...job, body } }, signal, [body])) as ConvertedAnswer
        const { whole } = answer
        // A buffer arrives from a thread as plain bytes.
        if (whole.kind === 'body') return { ...answer, whole: { ...whole, body: asBuffer(whole.body) } }
        return whole.kind === 'stream' ? { ...answer, whole: { ...whole, bytes: asBuffer(whole.bytes) } } : answer
      }, signal),
  }
}

/** In pieces: forty megabytes of fresh memory take longer than other work may be kept waiting. */
async function copied(bytes: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await ownShare()
    copy.set(bytes.subarray(at, at + PIECE_BYTES), at)
  }
  return copy
}

const isOutOfMemory = (error: unknown): boolean => systemCodeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
const left = (): OnwardError => new OnwardError('aborted', 'The client left.', { status: 499 })
const failure = (why: string, cause?: unknown): OnwardError =>
  new OnwardError('conversion-failed', `Saying this in the other protocol ${why}. Try again, or send less at once.`, {
    cause,
    status: 503,
    retryable: true,
  })
