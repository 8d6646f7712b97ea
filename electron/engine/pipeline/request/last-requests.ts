import type { Scope } from '../../../../shared/words.ts'
import { excerptOf } from './turn-excerpt.ts'
import type { Turn, TurnEnd } from '../turn.ts'
import type { TurnExcerpt } from '../../servertools/stop-message/review/turn-excerpt.ts'

/**
 * Excerpts of turns, read when a decision about them is due. The bytes of requests are kept until then, and only where
 * something is armed.
 */
export interface LastRequests {
  keep(turn: Turn): void
  /** Once per turn. null: it can't be read; without its request there are only the answer's words */
  excerpt(turn: Turn, summary: TurnEnd['summary']): TurnExcerpt | null
}

export interface LastRequestsDeps {
  isArmed(scope: Scope): boolean
  /** where a session without a terminal keeps its stopMessage; null: nowhere */
  reenterScope(sessionId: string): Scope | null
}

export function createLastRequests({ isArmed, reenterScope }: LastRequestsDeps): LastRequests {
  const bodies = new WeakMap<Turn, Buffer>()
  return {
    keep(turn) {
      const { scope, sessionId, kind } = turn.identity
      const where = scope ?? (sessionId === null ? null : reenterScope(sessionId))
      if (kind === 'turn' && turn.call.endpoint === 'generate' && where !== null && isArmed(where)) {
        bodies.set(turn, turn.draft.lens.body)
        turn.requestBytes.held = true
      }
    },
    excerpt(turn, { text, finish, complete }) {
      const body = bodies.get(turn)
      bodies.delete(turn)
      if (finish !== 'stop' || !complete || turn.identity.kind !== 'turn') return null
      const { entry, path } = turn.call
      return body ? excerptOf({ entry, path, body, client: turn.identity.client, text }) : wordsOnly(text)
    },
  }
}

export const wordsOnly = (text: string): TurnExcerpt => ({ calls: [], callsTotal: 0, text, drivenBy: null })
