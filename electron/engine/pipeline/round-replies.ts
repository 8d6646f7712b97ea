import type { EntryProtocol } from '../../../shared/words.ts'
import type { WholeAnswer } from '../protocol/append-exchange.ts'
import { joinRounds, type RoundJoiner } from '../protocol/join-rounds.ts'
import type { Reply } from './types.ts'

/** An answer larger than this is not kept to be sent back to the provider. */
const keptBytes = 16 * 1024 * 1024

/** The client's one response, written by several rounds one after the other. */
export interface RoundReplies {
  /** what the round under way is sent to, instead of the client's own reply */
  readonly reply: Reply
  /** the answer of the round that has just ended, as it came; null when it is too large */
  answer(): WholeAnswer | null
  /** the round came in a form that fits to what the client has of the answer */
  readonly fits: boolean
  /** the round is whole and another follows */
  next(): void
  /** the round, not the first, broke off */
  drop(): void
  /** ends the client's response */
  finish(): void
  readonly bytesOut: number
}

type Headers = Record<string, string | string[]>
/**
 * `open`: not known before its bytes come. `through`: a body too large to hold, the client gets it as it comes. `mute`:
 * nothing of the round is for the client.
 */
type Form = 'none' | 'open' | 'stream' | 'json' | 'through' | 'mute'

/**
 * Stands between `send` and the client: a round's head, bytes and end become parts of one response. A stream's
 * terminal events and a JSON body wait until it is known that no round follows.
 */
export function roundReplies(client: Reply, entry: EntryProtocol): RoundReplies {
  let first = true
  let form: Form = 'none'
  let firstForm: Form = 'none'
  let joiner: RoundJoiner | null = null
  let head: { status: number; headers: Headers } | null = null
  let over = false
  let bytesOut = 0
  let status = 0
  let contentType = ''
  let kept: Uint8Array[] = []
  let size = 0
  let closed = false
  let drained: () => void = () => undefined
  let left: () => void = () => undefined
  client.onDrain(() => drained())
  client.onClose(() => { closed = true; left() })

  function begin(newStatus: number, headers: Headers): void {
    status = newStatus
    contentType = String(headers['content-type'] ?? '')
    if (first) head = { status, headers }
    if (status < 400 && contentType.includes('text/event-stream')) settle('stream')
    else form = 'open'
  }

  function settle(found: 'stream' | 'json' | 'through'): void {
    form = !first && (status >= 400 || found !== firstForm) ? 'mute' : found
    if (!first || !head) return
    firstForm = found
    if (found !== 'through') joiner = joinRounds(entry, { stream: found === 'stream' })
    if (found !== 'json') client.head(head.status, head.headers)
  }

  function keep(chunk: Uint8Array): void {
    size += chunk.length
    if (size <= keptBytes) kept.push(chunk)
    else kept = []
  }

  function forward(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    bytesOut += bytes.length
    return client.write(bytes)
  }

  function take(chunk: Uint8Array): boolean {
    keep(chunk)
    if (joiner && (form === 'stream' || form === 'json')) return forward(joiner.push(chunk))
    return form === 'through' ? forward(chunk) : true
  }

  const reply: Reply = {
    head: begin,
    write(chunk) {
      // Not every server labels its streams; a JSON body that comes in pieces is too large to be held (relay.ts).
      if (form === 'open') settle(looksLikeJson(chunk) ? 'through' : 'stream')
      return take(chunk)
    },
    end(chunk) {
      if (form === 'open') settle('json')
      if (chunk) take(chunk)
      if (form === 'through') { over = true; client.end() }
    },
    abort() {
      if (!first) { form = 'mute'; return }
      over = true
      client.abort()
    },
    get headSent() { return form !== 'none' },
    get finished() { return client.finished },
    get left() { return client.left },
    onDrain(listener) { drained = listener },
    onClose(listener) {
      left = listener
      if (closed) queueMicrotask(listener)
    },
  }

  return {
    reply,
    answer: () => (form === 'through' || size > keptBytes ? null : { contentType, body: Buffer.concat(kept) }),
    get fits() { return form === firstForm },
    next() {
      joiner?.endRound()
      first = false
      form = 'none'
      kept = []
      size = 0
    },
    drop: () => joiner?.dropRound(),
    finish() {
      if (over || !joiner || !head) return
      const bytes = joiner.finish()
      bytesOut += bytes.length
      if (firstForm === 'json') client.head(head.status, { ...head.headers, 'content-length': String(bytes.length) })
      client.end(bytes)
    },
    get bytesOut() { return bytesOut },
  }
}

const looksLikeJson = (chunk: Uint8Array): boolean => /^\s*[{[]/.test(Buffer.from(chunk.subarray(0, 64)).toString('latin1'))
