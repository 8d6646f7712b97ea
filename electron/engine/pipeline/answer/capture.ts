import type { Body, Captures, Capture } from '../../records/captures.ts'
import type { Turn, TurnEnd } from '../turn.ts'
import { observedReply } from '../rounds/observed-reply.ts'

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
      turn.requestBytes.held = true
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
