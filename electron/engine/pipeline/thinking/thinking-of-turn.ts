import { createHash } from 'node:crypto'
import { answersIn, putBack, type CanonicalRequest } from '../../protocol/canonical/index.ts'
import type { Kept } from './kept-thinking-bounds.ts'
import type { Turn } from '../turn.ts'

/**
 * Returns the conversation for a turn's kept thinking: its session, or for a program that names none its beginning.
 * null: nothing is kept of it, since no request goes on from its answer.
 */
export function conversationOf({ call, identity, draft }: Turn): string | null {
  if (call.endpoint !== 'generate' || call.internal || call.test || identity.kind === 'title') return null
  if (identity.sessionId !== null) return `session-${identity.sessionId}`
  const begins = draft.lens.firstUserTexts().join('\0')
  return begins === '' ? null : `first-${createHash('sha256').update(begins).digest('hex').slice(0, 40)}`
}

/**
 * Returns possible ids of calls in the turn's request, from its bytes; other ids are among them. A conversation that
 * begins has none.
 */
export function callIdsSent({ draft: { lens } }: Pick<Turn, 'draft'>): readonly string[] {
  if (lens.messageCount() < 3) return []
  return [...lens.body.toString('latin1').matchAll(idMember)].map(([, id = '']) => id)
}

const idMember = /"(?:id|call_id|tool_call_id|tool_use_id)"\s*:\s*"([^"\\]+)"/g

/** The kept thinking of a turn's conversation. */
export interface KeptOfTurn extends Kept {
  /** provider and model that are asked now */
  by: string
}

export interface ThinkingPutBack {
  request: CanonicalRequest
  /** something could not be put back */
  lost: boolean
  /** which of the kept answers the client handed back whole */
  handedBack: readonly number[]
  /** something was put back for the others */
  needed: boolean
  /** how many answers the request holds */
  ordinal: number
}

/** Puts back what the turn's client left out. */
export function putThinkingBack(request: CanonicalRequest, { answers, forgotten, by }: KeptOfTurn): ThinkingPutBack {
  const ordinal = answersIn(request.messages)
  if (answers.length === 0 && !forgotten) return { request, lost: false, handedBack: [], needed: false, ordinal }
  const back = putBack(request, answers, by, forgotten)
  return {
    request: back.request,
    lost: back.lost,
    handedBack: back.handedBack.map((answer) => answers.indexOf(answer)),
    needed: back.request !== request,
    ordinal,
  }
}
