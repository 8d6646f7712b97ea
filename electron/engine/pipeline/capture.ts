import type { Body, Captures, Capture } from '../records/captures.ts'
import type { Turn, TurnEnd, Reply } from './turn.ts'

/** Keeps the bodies of turns whose session asked for it. For all others it costs one look at the session. */
export interface TurnCaptures {
  /** Called once per request, before anything is answered: from here on it records the turn's reply. */
  begin(turn: Turn): void
  /** the body as it goes to a provider; again for each attempt */
  upstream(turn: Turn, body: Body): void
  /** @returns true if the bodies are kept */
  end(turn: Turn, end: TurnEnd): boolean
}

export function createTurnCaptures(
  captures: Pick<Captures, 'begin'>,
  wanted: (sessionId: string) => boolean,
): TurnCaptures {
  /** by request: further rounds of a turn have other objects */
  const open = new Map<string, Capture>()
  return {
    begin(turn) {
      const { call, identity, draft } = turn
      if (identity.sessionId === null || !wanted(identity.sessionId)) return
      const capture = captures.begin({
        sessionId: identity.sessionId,
        requestId: call.requestId,
        body: call.body,
        // the path has no key in it: the gateway takes that off
        meta: {
          client: identity.client,
          kind: identity.kind,
          entry: call.entry,
          method: call.method,
          path: call.path,
          model: draft.lens.model,
        },
      })
      open.set(call.requestId, capture)
      call.reply = observedReply(call.reply, { chunk: (bytes) => capture.response(bytes) })
    },
    upstream: (turn, body) => open.get(turn.call.requestId)?.upstream(body),
    end(turn, { status, summary, route, clientLeft, bytesOut }) {
      const capture = open.get(turn.call.requestId)
      if (!capture) return false
      open.delete(turn.call.requestId)
      capture.end({
        status,
        finish: summary.finish,
        error: summary.error,
        clientLeft,
        bytesOut,
        route: route && { provider: route.provider, model: route.model, keyAlias: route.keyAlias },
      })
      return !capture.failed
    },
  }
}

export interface ReplyListener {
  /** the response began to be written */
  head?(status: number): void
  /** before it is written */
  chunk?(bytes: Uint8Array): void
}

/** Returns the same reply, whose writes the listener sees as well. */
export const observedReply = (reply: Reply, ears: ReplyListener): Reply => new ObservedReply(reply, ears)

/** A class for its getters: those of an object literal hold a request in memory (`base/mutable.ts`). */
class ObservedReply implements Reply {
  private readonly reply: Reply
  private readonly ears: ReplyListener
  readonly onDrain: Reply['onDrain']
  readonly onClose: Reply['onClose']
  readonly abort: Reply['abort']

  constructor(reply: Reply, ears: ReplyListener) {
    this.reply = reply
    this.ears = ears
    this.onDrain = reply.onDrain
    this.onClose = reply.onClose
    this.abort = reply.abort
  }
  head(status: number, headers: Record<string, string | string[]>): void {
    this.reply.head(status, headers)
    this.ears.head?.(status)
  }
  write(chunk: Uint8Array): boolean {
    this.ears.chunk?.(chunk)
    return this.reply.write(chunk)
  }
  end(chunk?: Uint8Array): void {
    if (chunk) this.ears.chunk?.(chunk)
    this.reply.end(chunk)
  }
  get headSent(): boolean {
    return this.reply.headSent
  }
  get finished(): boolean {
    return this.reply.finished
  }
  get left(): boolean {
    return this.reply.left
  }
}
