import type { EntryProtocol } from '../../../../shared/words.ts'
import type { WholeAnswer } from '../../protocol/answer/whole-answer.ts'
import { joinRounds, type RoundJoiner } from '../../protocol/join-rounds.ts'
import { serverToolCodecOf, type HiddenNames, type RoundFilter } from '../../protocol/server-tools.ts'
import { beginsWith } from '../answer/begins-with.ts'
import { isEncoded, withoutFactsOfBytes } from '../answer/body-facts.ts'
import { keptBytes } from '../answer/kept-bytes.ts'
import type { Reply } from '../types.ts'

/** An answer larger than this is not kept to be sent back to the provider. */
const keptLimit = 16 * 1024 * 1024

/** The client's one response, written by several rounds one after the other. */
export interface RoundReplies {
  /** what the round under way is sent to, instead of the client's own reply */
  readonly reply: Reply
  /** the answer of the round that has just ended, as it came; null when it is too large */
  answer(): WholeAnswer | null
  /** calls were taken out of the round */
  readonly hidden: boolean
  /** the round had text, thinking or a call of the client's */
  readonly said: boolean
  /** the round came in a form that fits to what the client has of the answer */
  readonly fits: boolean
  /** the answer's end has not gone to the client yet, so that another round may follow */
  readonly open: boolean
  /** the client has the answer's beginning, so that only its own events can tell of a failure */
  readonly streaming: boolean
  /** the round is whole and another follows; `may-break`: the answer would do without it */
  next(how: 'may-break' | 'must-come'): void
  /** the round, not the first, broke off */
  drop(): void
  /** a round that had to come failed; `error` is what a stream says of it */
  fail(error: Buffer): void
  /** a line of Onward's own, where the rounds said nothing */
  say(text: string): void
  /** between two rounds: the client is told that something is still coming */
  keepAlive(): void
  /** ends the client's response */
  finish(): void
  readonly bytesOut: number
}

export interface RoundOptions {
  /** calls by these names are taken out; empty: none */
  names: HiddenNames
  /** terminal events wait, whatever the answer holds: something may follow it */
  holdsEnd: boolean
  /** ... of an answer that says nothing */
  holdsEmpty: boolean
  /** the answer is read when it is over, whatever it holds */
  keepsAnswer?: boolean
  /** Responses: what the client goes on from, as it says it */
  previousResponseId?: string | null
  /** of the round under way the first bytes came */
  onFirstByte?(): void
  /** ... and something of it that the model produced and the client gets, where it streams */
  onSaid?(): void
}

type Headers = Record<string, string | string[]>
/**
 * `open`: not known before its bytes come. `through`: a body too large to hold, the client gets it as it comes. `mute`:
 * nothing of the round is for the client.
 */
type Form = 'none' | 'open' | 'stream' | 'json' | 'through' | 'mute'

/**
 * Stands between `send` and the client: a round's head, bytes and end become parts of one response. Bytes go by
 * untouched for as long as nothing has to be taken out of them, held back or joined (nearly always); from then on a
 * joiner makes one answer of them.
 */
export function roundReplies(client: Reply, entry: EntryProtocol, wishes: RoundOptions): RoundReplies {
  const serverTools = serverToolCodecOf(entry)
  const keeps = wishes.names.size > 0 || wishes.holdsEnd || wishes.holdsEmpty || wishes.keepsAnswer === true
  const kept = keptBytes(keptLimit)
  let first = true
  let form: Form = 'none'
  let firstForm: Form = 'none'
  let joiner: RoundJoiner | null = null
  let filter: RoundFilter | null = null
  let hidden = false
  let said = false
  let head: { status: number; headers: Headers } | null = null
  let over = false
  let failed = false
  let bytesOut = 0
  let status = 0
  let contentType = ''
  let closed = false
  let drained: () => void = () => undefined
  let left: () => void = () => undefined
  client.onDrain(() => drained())
  client.onClose(() => {
    closed = true
    left()
  })

  function begin(newStatus: number, headers: Headers): void {
    status = newStatus
    contentType = String(headers['content-type'] ?? '')
    // What a round says of its own bytes is not said of the answer's, which may be other ones.
    if (first) head = { status, headers: withoutFactsOfBytes(headers) }
    if (isEncoded(headers)) settle('through')
    else if (status < 400 && contentType.includes('text/event-stream')) settle('stream')
    else form = 'open'
  }

  function settle(found: 'stream' | 'json' | 'through'): void {
    form = !first && (status >= 400 || found !== firstForm) ? 'mute' : found
    if (form === 'stream' && wishes.names.size > 0) filter = serverTools.filter(wishes.names)
    if (!first || !head) return
    firstForm = found
    if (found === 'json' || (found === 'stream' && (wishes.holdsEnd || wishes.holdsEmpty)))
      joiner = joinRounds(entry, { stream: found === 'stream' })
    if (found !== 'json') client.head(head.status, head.headers)
  }

  function forward(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    bytesOut += bytes.length
    return client.write(bytes)
  }

  function take(chunk: Uint8Array): boolean {
    if (form !== 'mute') wishes.onFirstByte?.()
    if (form === 'through') return forward(chunk)
    if (form === 'stream')
      return takeEvents(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (form === 'json') kept.add(chunk)
    return true
  }

  /** What the answer repeats of the request is what the client sent. */
  const own = (bytes: Buffer): Buffer =>
    serverTools.withoutEcho && (wishes.names.size > 0 || wishes.previousResponseId)
      ? serverTools.withoutEcho(bytes, wishes.names, wishes.previousResponseId ?? null)
      : bytes

  function takeEvents(chunk: Buffer): boolean {
    const visible = own(filter ? filter.push(chunk) : chunk)
    if (filter?.began && !joiner) {
      // What went by untouched is told to the joiner now: it has to know what the client has.
      joiner = joinRounds(entry, { stream: true })
      joiner.push(kept.all() ?? nothing)
    }
    if (keeps) kept.add(chunk)
    hidden ||= filter?.began ?? false
    if (!said && serverTools.hasContent(visible)) {
      said = true
      wishes.onSaid?.()
      if (first && joiner && !hidden && !wishes.holdsEnd) {
        const held = joiner.finish()
        joiner = null
        return forward(held) && forward(visible)
      }
    }
    return forward(joiner ? joiner.push(visible) : visible)
  }

  /** The round's JSON body is whole. */
  function takeBody(): void {
    const body = kept.all() ?? nothing
    const visible = status < 400 && wishes.names.size > 0 ? serverTools.filterBody(body, wishes.names) : body
    hidden = visible !== body
    said = serverTools.hasContent(visible)
    joiner?.push(own(visible))
  }

  const reply: Reply = {
    head: begin,
    write(chunk) {
      // Not every server labels its streams; a JSON body that comes in pieces is too large to be held (answer/retry-gate.ts).
      if (form === 'open') settle(['object', 'list'].includes(beginsWith(chunk)) ? 'through' : 'stream')
      return take(chunk)
    },
    end(chunk) {
      if (form === 'open') settle('json')
      if (chunk) take(chunk)
      if (form === 'json') takeBody()
      if (form === 'through') {
        over = true
        client.end()
      }
    },
    abort() {
      if (!first) {
        form = 'mute'
        return
      }
      over = true
      client.abort()
    },
    get headSent() {
      return form !== 'none'
    },
    get finished() {
      return client.finished
    },
    get left() {
      return client.left
    },
    onDrain(listener) {
      drained = listener
    },
    onClose(listener) {
      left = listener
      if (closed) queueMicrotask(listener)
    },
  }

  return {
    reply,
    answer() {
      const body = form === 'through' ? null : kept.all()
      return body && { contentType, body }
    },
    get hidden() {
      return hidden
    },
    // Of what goes by unread nothing is known; it is no empty answer.
    get said() {
      return said || form === 'through'
    },
    get fits() {
      return form === firstForm
    },
    get open() {
      return joiner !== null && form !== 'through'
    },
    get streaming() {
      return firstForm === 'stream'
    },
    next(how) {
      joiner?.endRound(how)
      first = false
      form = 'none'
      hidden = false
      said = false
      filter = null
      kept.clear()
    },
    drop: () => joiner?.dropRound(),
    fail(error) {
      failed = true
      if (firstForm === 'stream' && joiner) forward(joiner.failRound(error))
    },
    say(text) {
      if (joiner) forward(joiner.say(text))
    },
    keepAlive() {
      if (firstForm === 'stream' && joiner && !client.left) forward(joiner.keepAlive())
    },
    finish() {
      if (over || !head) return
      if (!joiner) {
        client.end()
        return
      }
      if (failed && firstForm === 'json') return
      const bytes = joiner.finish()
      bytesOut += bytes.length
      if (firstForm === 'json') client.head(head.status, { ...head.headers, 'content-length': String(bytes.length) })
      client.end(bytes)
    },
    get bytesOut() {
      return bytesOut
    },
  }
}

const nothing = Buffer.alloc(0)
