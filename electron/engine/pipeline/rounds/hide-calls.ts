import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Mutable } from '../../base/mutable.ts'
import { Frame } from '../../protocol/answer/frame.ts'
import type { WholeAnswer } from '../../protocol/answer/whole-answer.ts'
import { serverToolCodecOf, type HiddenNames, type RoundFilter } from '../../protocol/server-tools.ts'
import { isBlank } from '../../protocol/join/event-bytes.ts'
import { frameBytes } from '../../protocol/answer/frame-bytes.ts'
import { keptBytes } from '../answer/kept-bytes.ts'
import type { AnswerForm } from '../../protocol/answer/frame.ts'
import type { AnswerStep } from '../answer/step.ts'

/** An answer larger than this is not kept to be sent back to the provider. */
const keptLimit = 16 * 1024 * 1024

export interface HideOptions {
  /** calls by these names are taken out; empty: none */
  names: HiddenNames
  /** Responses: what the client goes on from, as it says it; null: nothing */
  previousResponseId: string | null
  /** the answer is read when it is over */
  keeps: boolean
  /** something of it that the model produced is for the client */
  onSaid(): void
  /** from here on what the client gets is not what the provider sent; `before`: what it has of the round */
  onHidden(before: Buffer): void
}

export interface HideCalls extends AnswerStep {
  /** the answer as it came; null when it is too large, or holds too many calls */
  answer(): WholeAnswer | null
  /** calls were taken out */
  readonly hidden: boolean
  /** it had text, thinking or a call of the client's */
  readonly said: boolean
}

/** Takes calls of Onward's own out of one round, and what the answer repeats of them. All else goes on as it came. */
export function hideCalls(entry: EntryProtocol, options: HideOptions, next: AnswerStep): HideCalls {
  const codec = serverToolCodecOf(entry)
  const { names, previousResponseId, keeps } = options
  const kept = keptBytes(keptLimit)
  /** an answer that came whole; it is not copied */
  let wholeBody: Buffer | null = null
  /** events that are kept with the next ones beside them */
  const came = frameBytes()
  const echoes = codec.withoutEcho && (names.size > 0 || previousResponseId !== null)
  let filter: RoundFilter | null = null
  let form: AnswerForm = 'bytes'
  /** the client has other bytes, or none, in the place of the last event */
  let replaced = false
  let status = 0
  let contentType = ''

  /** What the answer repeats of the request is what the client sent. */
  const own = (frame: Frame): Frame =>
    echoes && codec.withoutEcho ? codec.withoutEcho(frame, names, previousResponseId) : frame

  function keep(): void {
    const bytes = came.take()
    if (bytes.length > 0) kept.add(bytes)
  }

  function event(frame: Frame): void {
    const left = filter === null ? frame : filter.frame(frame)
    if (!step.hidden && filter?.began) {
      step.hidden = true
      keep()
      options.onHidden(kept.all() ?? nothing)
    }
    if (keeps) came.add(frame)
    // A line end cut in two (CR, then LF) belongs to the event before it, and goes where that went.
    if (left === null || (replaced && isBlank(frame))) {
      replaced = true
      return
    }
    const visible = own(left)
    replaced = visible !== frame
    if (!step.said && codec.hasContent(visible.raw)) {
      step.said = true
      options.onSaid()
    }
    next.frame(visible)
  }

  function body(frame: Frame): void {
    wholeBody = frame.raw
    const visible = status < 400 && names.size > 0 ? codec.filterBody(frame.raw, names) : frame.raw
    step.hidden = visible !== frame.raw
    step.said = codec.hasContent(visible)
    next.frame(own(step.hidden ? Frame.of(visible, visible) : frame))
  }

  /** Of a list that grows: nothing follows within it, so what was taken out is never asked for. */
  function element(frame: Frame): void {
    const { data, raw, truncated } = frame
    const visible = data === null || truncated || names.size === 0 ? data : codec.filterBody(data, names)
    if (data === null || visible === null || visible === data) return next.frame(frame)
    const at = raw.indexOf(data)
    next.frame(Frame.of(Buffer.concat([raw.subarray(0, at), visible, raw.subarray(at + data.length)]), visible))
  }

  const step: Mutable<HideCalls> = {
    hidden: false,
    // Of what goes by unread nothing is known; it is no empty answer.
    said: true,
    head(head) {
      form = head.form
      step.said = form === 'bytes' || form === 'list'
      status = head.status
      contentType = String(head.headers['content-type'] ?? '')
      if (form === 'events' && names.size > 0) filter = codec.filter(names)
      next.head(head)
    },
    frame(frame) {
      if (form === 'events') event(frame)
      else if (form === 'body') body(frame)
      else if (form === 'list') element(frame)
      else next.frame(frame)
    },
    flush() {
      keep()
      return next.flush()
    },
    end(rest) {
      keep()
      if (keeps && form === 'events') kept.add(rest)
      next.end(rest)
    },
    error: (error, rest) => next.error(error, rest),
    answer() {
      const body = form === 'bytes' || form === 'list' ? null : (wholeBody ?? kept.all())
      return body && body.length <= keptLimit && !hasMoreNames(body) ? { contentType, body } : null
    },
  }
  return step
}

/**
 * Names of calls in an answer that is sent back. Of one answer 64 are run, and what is read and written of thousands is
 * time that others wait; a response names each of its calls up to four times, and all tools of its request.
 */
const mostNames = 2_500

function hasMoreNames(answer: Buffer): boolean {
  let count = 0
  for (let at = answer.indexOf(nameMember); at >= 0; at = answer.indexOf(nameMember, at + nameMember.length))
    if (++count > mostNames) return true
  return false
}
const nameMember = Buffer.from('"name"')

const nothing = Buffer.alloc(0)
