import { frameBytes } from '../../protocol/answer/frame-bytes.ts'
import { listFrames } from '../../protocol/answer/list-frames.ts'
import { sseFrames } from '../../protocol/answer/sse-frames.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { OnwardError } from '../../base/errors.ts'
import { errorIn } from '../../protocol/observe/errors.ts'
import { parseObject } from '../../protocol/values.ts'
import { isEncoded } from './body-facts.ts'
import { beginsWith } from './begins-with.ts'
import { earlyError } from './early-error.ts'
import type { Reply } from '../types.ts'

/** A JSON answer larger than this is passed on as it comes; below, a break-off can still become a proper error. */
const JSON_HELD_BYTES = 8 * 1024 * 1024

const blankLine = Buffer.from('\n\n')

/** How one upstream response went by. Exactly one of these per attempt. */
export type RelayOutcome =
  /** `errorBody`: what a status of 400 and above came with */
  | {
      kind: 'answered'
      status: number
      headers: Record<string, string | string[]>
      errorBody: Buffer | null
      firstByteAt: number | null
      bytesOut: number
      brokenOff: OnwardError | null
    }
  /** nothing reached the client: another candidate may be tried */
  | { kind: 'refused'; status: number; headers: Record<string, string | string[]>; body: Buffer }
  | { kind: 'unreachable'; error: OnwardError }

export interface RelayInput {
  reply: Reply
  /** the client asked for a stream: an answer that is no JSON is one, whatever it is labelled */
  streaming: boolean
  /**
   * ... and of the other form a stream can have, a JSON list that grows. @returns its last element when it broke off;
   * absent: no such form
   */
  errorElement?: (error: OnwardError | null) => Buffer
  /** true: this status is not for the client if another candidate exists; its body is collected instead */
  mayRefuse(status: number, headers: Record<string, string | string[]>): boolean
  filterHeaders(headers: Record<string, string | string[]>): Record<string, string | string[]>
  observerFor(contentType: string, status: number): ResponseObserver
  /**
   * bytes that end a stream that broke off, in the entry protocol's own error shape; `last`: the events it stands
   * behind
   */
  errorEvent(error: OnwardError | null, last: Buffer | null): Buffer
  /** takes secrets out of what a provider says of an error in an answer that began well */
  redact(bytes: Buffer): Buffer
  /** what stands behind a finish as the stream's very last word; absent: the finish is the last word itself */
  lastWord?: Buffer
  /** the provider lives elsewhere: followed by the client, a redirection would lead past Onward */
  redirected(location: string): OnwardError
  now(): number
  onHead(observer: ResponseObserver, status: number): void
  /** the client has the head of this answer: no other candidate can be tried any more */
  onCommitted(): void
  onDone(outcome: RelayOutcome, observer: ResponseObserver | null): void
}

/**
 * Hands an upstream response to the client: streams as they come, only cut at event boundaries so that a
 * break-off never leaves half an event in front of the error; JSON answers whole.
 */
export function relay(input: RelayInput): { handler: UpstreamHandler; attach(call: UpstreamCall): void } {
  const { reply } = input
  let call: UpstreamCall | null = null
  let observer: ResponseObserver | null = null
  let mode:
    | 'waiting'
    | 'beginning'
    | 'refusing'
    | 'redirected'
    | 'unlabelled'
    | 'stream'
    | 'list'
    | 'json'
    | 'through'
    | 'done' = 'waiting'
  let status = 0
  let headers: Record<string, string | string[]> = {}
  let held: Buffer[] = []
  let heldBytes = 0
  let firstByteAt: number | null = null
  let bytesOut = 0
  let last: Buffer | null = null
  const whole = frameBytes()
  const events = sseFrames((frame) => whole.add(frame))
  const elements = listFrames((frame) => whole.add(frame))

  const done = (outcome: RelayOutcome) => {
    if (mode === 'done') return
    mode = 'done'
    held = []
    input.onDone(outcome, observer)
  }
  const write = (chunk: Uint8Array): boolean => {
    if (chunk.byteLength === 0) return true
    bytesOut += chunk.byteLength
    return reply.write(chunk)
  }
  /** Events are handed on whole: one that tells of an error is not out yet when it is seen. */
  const clean = (bytes: Buffer): Buffer => (observer?.failed ? input.redact(bytes) : bytes)
  const pass = (bytes: Buffer): boolean => {
    if (bytes.length > 0) last = bytes
    return write(clean(bytes))
  }
  const commit = () => {
    reply.head(status, input.filterHeaders(headers))
    input.onCommitted()
  }
  const redirected = () => done({ kind: 'unreachable', error: input.redirected(String(headers['location'] ?? '')) })
  const endList = (error: OnwardError | null) => {
    const rest = observer?.ended || !input.errorElement ? elements.rest() : elements.endWith(input.errorElement(error))
    bytesOut += rest.length
    reply.end(rest)
  }
  const answered = (brokenOff: OnwardError | null, errorBody: Buffer | null = null) =>
    done({ kind: 'answered', status, headers, errorBody, firstByteAt, bytesOut, brokenOff })

  const handler: UpstreamHandler = {
    onHead(newStatus, newHeaders) {
      status = newStatus
      headers = newHeaders
      if (input.mayRefuse(status, headers)) {
        mode = 'refusing'
        return
      }
      if (status >= 300 && status < 400) {
        mode = 'redirected'
        return
      }
      const contentType = String(headers['content-type'] ?? '')
      observer = input.observerFor(contentType, status)
      mode = isEncoded(headers)
        ? 'through'
        : status >= 400
          ? 'json'
          : /^\s*text\/event-stream\b/i.test(contentType)
            ? 'stream'
            : input.streaming
              ? 'unlabelled'
              : 'json'
      // The head of a stream waits for its first bytes: until then another candidate may still answer.
      if (mode === 'stream') {
        mode = 'beginning'
        return
      }
      input.onHead(observer, status)
      if (mode === 'through') commit()
    },
    onData(chunk) {
      firstByteAt ??= input.now()
      if (mode === 'beginning') {
        const failed = earlyError(chunk)
        if (failed !== null && input.mayRefuse(failed, headers)) {
          mode = 'refusing'
          status = failed
        } else {
          mode = 'stream'
          if (observer) input.onHead(observer, status)
          commit()
        }
      }
      if (mode === 'unlabelled') {
        const found = beginsWith(chunk)
        if (found === 'blanks') {
          held.push(chunk)
          heldBytes += chunk.length
          return true
        }
        mode = input.errorElement && found === 'list' ? 'list' : found === 'other' ? 'stream' : 'json'
        if (mode !== 'json') {
          commit()
          if (held.length > 0) chunk = Buffer.concat([...held.splice(0), chunk])
        }
      }
      switch (mode) {
        case 'refusing':
          if (heldBytes < 65_536) {
            held.push(chunk)
            heldBytes += chunk.length
          }
          return true
        case 'stream':
          observer?.push(chunk)
          events.push(chunk)
          return pass(whole.take())
        case 'list':
          observer?.push(chunk)
          elements.push(chunk)
          return write(clean(whole.take()))
        case 'json': {
          observer?.push(chunk)
          held.push(chunk)
          heldBytes += chunk.length
          if (heldBytes <= JSON_HELD_BYTES) return true
          mode = 'through'
          commit()
          // In one piece: by its first sign whoever reads it knows what it is, and blanks may have come first.
          return write(Buffer.concat(held.splice(0)))
        }
        case 'through':
          observer?.push(chunk)
          return write(chunk)
        case 'redirected':
        case 'waiting':
        case 'done':
          return true
      }
    },
    onEnd() {
      switch (mode) {
        case 'refusing':
          return done({ kind: 'refused', status, headers, body: Buffer.concat(held) })
        case 'redirected':
          return redirected()
        case 'unlabelled':
        case 'json': {
          const came = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
          const body = isErrorBody(came) ? input.redact(came) : came
          bytesOut += body.length
          reply.head(status, { ...input.filterHeaders(headers), 'content-length': String(body.length) })
          reply.end(body)
          return answered(null, status >= 400 ? body : null)
        }
        case 'stream': {
          // Readers take a last event without its blank line for whole when the body ends properly.
          if (observer && !observer.ended) observer.push(blankLine)
          // A clean end of the connection without the terminal event is a break-off all the same.
          const rest = observer && !observer.ended ? input.errorEvent(null, last) : clean(events.rest())
          bytesOut += rest.length
          reply.end(rest)
          return answered(null)
        }
        case 'list':
          endList(null)
          return answered(null)
        case 'through':
          reply.end()
          return answered(null)
        case 'beginning':
          return done({ kind: 'unreachable', error: endedEarly() })
        case 'waiting':
        case 'done':
          return
      }
    },
    onError(error) {
      switch (mode) {
        case 'waiting':
        case 'beginning':
        case 'unlabelled':
        case 'json':
          return done({ kind: 'unreachable', error })
        case 'refusing':
          return done({ kind: 'refused', status, headers, body: Buffer.concat(held) })
        case 'redirected':
          return redirected()
        case 'stream':
          // After the terminal event the client has everything; only the connection's end was rough.
          if (observer?.ended) {
            const rest = endBehindFinish(last, events.rest(), input.lastWord)
            bytesOut += rest.length
            reply.end(rest)
            return answered(null)
          }
          reply.end(input.errorEvent(error, last))
          return answered(error)
        case 'list':
          endList(error)
          return answered(observer?.ended ? null : error)
        case 'through':
          reply.abort()
          return answered(error)
        case 'done':
          return
      }
    },
  }
  return {
    handler,
    attach(newCall) {
      call = newCall
      reply.onDrain(() => call?.resume())
    },
  }
}

/** larger than any error is */
const mostErrorBytes = 64 * 1024

/** Some gateways answer with a status of 200 and an error. */
function isErrorBody(body: Buffer): boolean {
  if (body.length > mostErrorBytes || !body.includes('"error"')) return false
  const value = parseObject(body)
  return value !== null && errorIn(value) !== null
}

/** A stream without a single byte is no answer. */
export const endedEarly = (): OnwardError =>
  new OnwardError('upstream-broke-off', 'The provider ended its answer before it began.', {
    status: 502,
    retryable: true,
  })

/** Where the last word was cut off it is said whole; what came of it in pieces is no event yet. */
function endBehindFinish(last: Buffer | null, rest: Buffer, lastWord: Buffer | undefined): Buffer {
  if (!lastWord) return rest
  return last && words(last.subarray(-64)).endsWith(words(lastWord)) ? rest : lastWord
}

const words = (bytes: Buffer): string => bytes.toString('latin1').replaceAll(/\s/g, '')
