import { messageOf } from '../../base/errors.ts'
import { asBuffer, type Frame } from '../answer/frame.ts'
import { listFrames } from '../answer/list-frames.ts'
import { sseFrames } from '../answer/sse-frames.ts'
import type { ResponseObserver, ResponseSummary } from '../types.ts'
import { parseObject } from '../values.ts'
import { errorIn } from './errors.ts'
import type { AnswerReader, Seen } from './reader.ts'

/** bytes of a JSON answer that are kept for reading */
const maxBodyBytes = 16 * 1024 * 1024

/**
 * Watches a response beside its relay. Whether it is a stream is decided by the content type, and where that does not
 * say so by the first byte: clients that asked for a stream read one, whatever it is labelled.
 */
export function observeResponse(reader: AnswerReader, contentType: string, status: number): ResponseObserver {
  const saysStream = status < 400 && /^\s*text\/event-stream\b/i.test(contentType)
  let form: Form = saysStream ? { kind: 'stream' } : { kind: 'unknown' }
  let problem: Problem | null = null
  let events = 0
  const read = (frame: Frame): void => {
    if (!frame.says) return
    events++
    reader.frame(frame)
  }
  const stream = sseFrames(read)
  const list = listFrames((frame) => {
    if (frame.data?.[0] === 0x7b) read(frame)
    else if (frame.says) reader.frame(frame)
  })

  function take(chunk: Buffer): void {
    if (form.kind === 'unknown') form = formOf(chunk, reader.readsLists === true)
    if (form.kind === 'stream') stream.push(chunk)
    else if (form.kind === 'list') list.push(chunk)
    else if (form.kind === 'json' && form.bytes <= maxBodyBytes) {
      form.bytes += chunk.length
      form.chunks.push(chunk)
    }
  }

  function readBody(): boolean {
    if (form.kind !== 'json') return false
    if (form.bytes > maxBodyBytes) {
      problem ??= {
        code: 'answer-too-large',
        message: `The answer is larger than ${maxBodyBytes / 1024 / 1024} MB; it was passed on unread.`,
      }
      return false
    }
    const value = parseObject(Buffer.concat(form.chunks))
    form.chunks = []
    if (!value) return false
    reader.body(value)
    reader.seen.error ??= errorIn(value)
    return true
  }

  /** Being watched must never hurt a response; a fault in here is reported in the summary. */
  function guarded<T>(run: () => T, otherwise: T): T {
    try {
      return run()
    } catch (error) {
      problem ??= { code: 'unreadable-answer', message: `The answer could not be read: ${messageOf(error)}` }
      return otherwise
    }
  }

  return {
    push(chunk) {
      if (chunk.length > 0) guarded(() => take(asBuffer(chunk)), undefined)
    },
    get ended() {
      return reader.ended
    },
    get failed() {
      return reader.seen.error !== null
    },
    finish(brokenOff) {
      // A body that ended properly has a last event also where the blank line behind it is missing.
      const last = !brokenOff && form.kind === 'stream' ? stream.last() : null
      if (last) guarded(() => read(last), undefined)
      const complete = guarded(readBody, false) || reader.seen.complete
      return summary(reader.seen, complete, problem ?? whyUnread({ complete, brokenOff, status, events }))
    },
  }
}

type Form =
  | { kind: 'unknown' }
  | { kind: 'stream' }
  | { kind: 'list' }
  | { kind: 'json'; chunks: Buffer[]; bytes: number }
interface Problem {
  code: string
  message: string
}

function formOf(chunk: Buffer, readsLists: boolean): Form {
  const first = /\S/.exec(chunk.toString('latin1', 0, 256).replace(/^\u00ef\u00bb\u00bf/, ''))?.[0]
  if (first === undefined) return { kind: 'unknown' }
  if (first === '[' && readsLists) return { kind: 'list' }
  return first === '{' || first === '[' ? { kind: 'json', chunks: [], bytes: 0 } : { kind: 'stream' }
}

function whyUnread(end: { complete: boolean; brokenOff: boolean; status: number; events: number }): Problem | null {
  if (end.status >= 400)
    return { code: `http-${end.status}`, message: `The provider answered with status ${end.status}.` }
  if (end.complete || end.brokenOff || end.events > 0) return null
  return { code: 'bad-answer', message: 'The answer of the provider is neither whole JSON nor a stream of events.' }
}

function summary(seen: Seen, complete: boolean, problem: Problem | null): ResponseSummary {
  const error = seen.error ?? problem
  return {
    finish: error ? 'error' : complete ? (seen.finish ?? 'incomplete') : 'broken-off',
    complete,
    usage: seen.usage,
    responseId: seen.responseId,
    model: seen.model,
    toolNames: [...seen.toolNames],
    text: seen.tail.text(),
    error,
  }
}
