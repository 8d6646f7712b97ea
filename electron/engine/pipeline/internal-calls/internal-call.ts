import type { EntryProtocol, RequestKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Mutable } from '../../base/mutable.ts'
import type { Reply, RunTurn } from '../turn.ts'

export interface InternalAsk {
  entry: EntryProtocol
  /** as a client of that protocol asks it */
  path: string
  body: unknown
  kind: RequestKind
  test?: { key: string | null }
  withinMs: number
  /** aborted when the caller leaves: the upstream call is given up */
  signal?: AbortSignal
  /** the session the call is about, for its record; that session's automation does not see the call */
  about?: string
}

export interface InternalAnswer {
  requestId: string
  /** null: no answer began */
  status: number | null
  contentType: string
  /** one longer than a MiB is given up, and this is what came before */
  body: Buffer
  headAfterMs: number | null
  tookMs: number
  /** why there is no answer, or no whole one */
  error: OnwardError | null
}

export type InternalCall = (ask: InternalAsk) => Promise<InternalAnswer>

export interface InternalCallDeps {
  runTurn: RunTurn
  clock: Clock
  random: Random
  version: string
}

const mostBytes = 1024 * 1024

/** Makes a model call of the engine itself, through the pipeline that every call takes. Never rejects. */
export function createInternalCall({ runTurn, clock, random, version }: InternalCallDeps): InternalCall {
  return async ({ entry, path, body, kind, test, withinMs, signal, about }) => {
    const requestId = `req_${random.uuid()}`
    const receivedAt = clock.monotonic()
    const since = () => clock.monotonic() - receivedAt
    const kept = keepReply(since)
    let late = false
    const limit = clock.after(withinMs, () => {
      late = true
      kept.leave()
    })
    const onAbort = () => kept.leave()
    signal?.addEventListener('abort', onAbort, { once: true })
    let failed: unknown = null
    try {
      signal?.throwIfAborted()
      await runTurn({
        requestId,
        entry,
        path,
        receivedAt,
        internal: { kind, withinMs, ...(about === undefined ? {} : { about }) },
        ...(test ? { test } : {}),
        endpoint: 'generate',
        method: 'POST',
        callingProcess: null,
        reply: kept.reply,
        caller: { kind: 'local', suffix: null },
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': `onward/${version}` },
        body: Buffer.from(JSON.stringify(body)),
      })
    } catch (error) {
      failed = error
    } finally {
      limit.dispose()
      signal?.removeEventListener('abort', onAbort)
    }
    const { status, contentType, headAfterMs } = kept.head()
    return {
      requestId,
      status,
      contentType,
      headAfterMs,
      body: kept.body(),
      tookMs: since(),
      error: errorOf(
        { late, stopped: signal?.aborted === true, tooLong: kept.tooLong(), refused: (status ?? 0) >= 400 },
        failed,
        kept.reply.finished,
        withinMs,
      ),
    }
  }
}

function errorOf(
  { late, stopped, tooLong, refused }: { late: boolean; stopped: boolean; tooLong: boolean; refused: boolean },
  failed: unknown,
  finished: boolean,
  withinMs: number,
): OnwardError | null {
  if (stopped && !finished) return new OnwardError('stopped', 'The call was given up.', { cause: failed, status: 499 })
  // Its status says enough.
  if (tooLong && refused) return null
  if (tooLong) return new OnwardError('answer-too-large', 'The answer is longer than 1 MiB.', { status: 502 })
  if (late && !finished)
    return new OnwardError('timed-out', `There was no whole answer within ${Math.round(withinMs / 1000)} s.`, {
      cause: failed,
      status: 504,
    })
  if (OnwardError.isInstance(failed)) return failed
  if (failed !== null) return new OnwardError('internal', messageOf(failed), { cause: failed })
  return finished ? null : new OnwardError('upstream-broke-off', 'The answer broke off in the middle.', { status: 502 })
}

/** A client in memory that takes everything and stays until `leave`. */
function keepReply(since: () => number) {
  const chunks: Buffer[] = []
  const onClosed: (() => void)[] = []
  let head: { status: number | null; contentType: string; headAfterMs: number | null } = {
    status: null,
    contentType: '',
    headAfterMs: null,
  }
  let bytes = 0
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    reply.left = !reply.finished
    for (const listener of onClosed.splice(0)) listener()
  }
  const keep = (chunk: Uint8Array) => {
    if (closed) return
    chunks.push(Buffer.from(chunk.subarray(0, mostBytes - bytes)))
    bytes += chunk.length
    if (bytes > mostBytes) close()
  }
  const reply: Mutable<Reply> = {
    headSent: false,
    finished: false,
    left: false,
    head(status, headers) {
      reply.headSent = true
      const type = headers['content-type']
      head = { status, contentType: String(Array.isArray(type) ? (type[0] ?? '') : (type ?? '')), headAfterMs: since() }
    },
    write(chunk) {
      keep(chunk)
      return true
    },
    end(chunk) {
      if (chunk) keep(chunk)
      reply.finished ||= !closed
      close()
    },
    abort: close,
    // nothing is ever full here
    onDrain: () => undefined,
    onClose(listener) {
      if (closed) queueMicrotask(listener)
      else onClosed.push(listener)
    },
  }
  return { reply, head: () => head, body: () => Buffer.concat(chunks), tooLong: () => bytes > mostBytes, leave: close }
}
