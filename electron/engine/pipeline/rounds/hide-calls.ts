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
  /** Responses: the id that the client goes on from, as it sent it; null: none */
  previousResponseId: string | null
  /** the answer is read when it is over */
  keeps: boolean
  /** the model produced something that is for the client */
  onSaid(): void
  /** from here on the client gets other bytes than the provider sent; `before`: what it has of the round */
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

/**
 * Takes calls of Onward's own out of one round, and the parts of the answer that repeat them. All else goes on as it
 * came.
 */
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
  /** the client got other bytes than the last event, or none */
  let replaced = false
  let status = 0
  let contentType = ''

  /** Where the answer repeats the request, the client gets what it sent itself. */
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
    // A line end cut in two (CR, then LF) belongs to the event before it, and shares its fate.
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

  /** In a list that grows: nothing follows within it, so calls that were taken out are never answered. */
  function element(frame: Frame): void {
    const { data, raw, truncated } = frame
    const visible = data === null || truncated || names.size === 0 ? data : codec.filterBody(data, names)
    if (data === null || visible === null || visible === data) return next.frame(frame)
    const at = raw.indexOf(data)
    next.frame(Frame.of(Buffer.concat([raw.subarray(0, at), visible, raw.subarray(at + data.length)]), visible))
  }

  const step: Mutable<HideCalls> = {
    hidden: false,
    // An answer that goes by unread counts as one with content.
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
 * Most names of calls in an answer that is sent back. Of one answer 64 are run, and reading and writing thousands would
 * keep other work waiting; a response names each of its calls up to four times, and all tools of its request.
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
