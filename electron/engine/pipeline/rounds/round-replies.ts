import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Mutable } from '../../base/mutable.ts'
import { frameBytes, Frame, type AnswerForm } from '../../protocol/answer/frame.ts'
import type { WholeAnswer } from '../../protocol/answer/whole-answer.ts'
import { isBlank } from '../../protocol/join/types.ts'
import { serverToolCodecOf } from '../../protocol/index.ts'
import type { HiddenNames, RoundFilter } from '../../protocol/server-tools/types.ts'
import type { ResponseSummary } from '../../protocol/types.ts'
import type { RoundSteps } from '../answer/chain.ts'
import type { AnswerStep } from '../answer/framed.ts'
import type { TurnEnd, Reply } from '../turn.ts'
import { joinAnswer, type JoinedAnswer, type JoinOptions } from './join-answer.ts'

/** The client's one response, written by several rounds one after the other. */
export interface RoundReplies {
  /** calls by these names are taken out */
  readonly names: HiddenNames
  /** the request is needed until the round is over: another may be made of it */
  readonly keepsRequest: boolean
  /** anew for each upstream that is asked */
  readonly rounds: RoundSteps
  /** only the round under way learns that the client has room again or is gone */
  onDrain(listener: () => void): void
  onClose(listener: () => void): void
  /** the client lacks the end of what came */
  lacksEnd(): boolean
  /** the answer of the round that has just ended, as it came; null when it is too large */
  answer(): WholeAnswer | null
  /** calls were taken out of the round */
  hidden(): boolean
  /** the round had text, thinking or a call of the client's */
  said(): boolean
  /** the client's view of the whole answer */
  readonly joined: JoinedAnswer
  /** the round is whole and another follows; `may-break`: the answer would do without it */
  next(how: 'may-break' | 'must-come'): void
}

export interface RoundOptions extends JoinOptions {
  /** calls by these names are taken out; empty: none */
  names: HiddenNames
  keepsRequest: boolean
  /** the answer is read when it is over, whatever it holds */
  keepsAnswer?: boolean
  /** Responses: the id that the client goes on from, as it sent it */
  previousResponseId?: string | null
  /** the model produced something for the client, in a round that streams */
  onSaid?(): void
}

/** Sits between `send` and the client: each round hides its calls, and all of them become one response. */
export function roundReplies(client: Reply, entry: EntryProtocol, wishes: RoundOptions): RoundReplies {
  const { names, previousResponseId = null } = wishes
  const keeps = names.size > 0 || wishes.holdsEnd || wishes.holdsEmpty || wishes.keepsAnswer === true
  const joined = joinAnswer(client, entry, wishes)
  let round: HideCalls | null = null
  let closed = false
  let drained: () => void = () => undefined
  let left: () => void = () => undefined
  client.onDrain(() => drained())
  client.onClose(() => {
    closed = true
    left()
  })

  function onSaid(): void {
    wishes.onSaid?.()
    if (round && !round.hidden) joined.says()
  }

  return {
    names,
    keepsRequest: wishes.keepsRequest,
    joined,
    rounds: {
      join: (next) => joined.round(next),
      hide(next) {
        const hiding = hideCalls(entry, { names, previousResponseId, keeps, onSaid, onHidden: joined.changes }, next)
        round = hiding
        return hiding
      },
    },
    onDrain(listener) {
      drained = listener
    },
    onClose(listener) {
      left = listener
      if (closed) queueMicrotask(listener)
    },
    lacksEnd: () => joined.open(),
    answer: () => round?.answer() ?? null,
    hidden: () => round?.hidden ?? false,
    said: () => round?.said ?? false,
    next(how) {
      joined.next(how)
      round = null
    },
  }
}

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

interface HideCalls extends AnswerStep {
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
function hideCalls(entry: EntryProtocol, options: HideOptions, next: AnswerStep): HideCalls {
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

/**
 * Keeps bytes that go by in few blocks instead of thousands of small pieces: an answer's events are about two hundred
 * bytes each, and the object that holds such a piece is as large as the piece.
 */
export interface KeptBytes {
  /** false: the limit is reached, and nothing is kept any more */
  add(chunk: Uint8Array): boolean
  /** null when the limit was reached */
  all(): Buffer | null
  clear(): void
}

const firstBlock = 4 * 1024
const largestBlock = 64 * 1024

export function keptBytes(most: number): KeptBytes {
  let full: Buffer[] = []
  let block: Buffer = noBytes
  let used = 0
  let size = 0

  return {
    add(chunk) {
      size += chunk.length
      if (size > most) {
        full = []
        block = noBytes
        used = 0
        return false
      }
      if (used + chunk.length > block.length) {
        if (used > 0) full.push(block.subarray(0, used))
        block = Buffer.allocUnsafeSlow(
          Math.max(chunk.length, Math.min(largestBlock, Math.max(firstBlock, block.length * 2))),
        )
        used = 0
      }
      block.set(chunk, used)
      used += chunk.length
      return true
    },
    all: () => (size > most ? null : Buffer.concat([...full, block.subarray(0, used)])),
    clear() {
      full = []
      block = noBytes
      used = 0
      size = 0
    },
  }
}

const noBytes: Buffer = Buffer.alloc(0)

/** Returns the summary of the client's answer, without calls of Onward's own. */
export function visibleSummary({ summary }: TurnEnd, names: HiddenNames): ResponseSummary {
  if (names.size === 0 || !summary.toolNames.some((name) => names.has(name))) return summary
  const toolNames = summary.toolNames.filter((name) => !names.has(name))
  return {
    ...summary,
    toolNames,
    finish: toolNames.length === 0 && summary.finish === 'tool-calls' ? 'stop' : summary.finish,
  }
}
