import { createHash } from 'node:crypto'
import {
  answersIn,
  callIdsIn,
  collectAnswer,
  putBack,
  type AnswerConversion,
  type CanonicalRequest,
  type WireProtocol,
} from '../../protocol/canonical/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { KeptThinking } from './kept-thinking.ts'
import type { Turn } from '../turn.ts'

/**
 * Which conversation a turn belongs to, for what is kept of its thinking: its session, or for a program that names none
 * how it begins. null: nothing is kept of it, since nobody goes on from its answer.
 */
export function conversationOf({ call, identity, draft }: Turn): string | null {
  if (call.endpoint !== 'generate' || call.internal || call.test || identity.kind === 'title') return null
  if (identity.sessionId !== null) return `session-${identity.sessionId}`
  const begins = draft.lens.firstUserTexts().join('\0')
  return begins === '' ? null : `first-${createHash('sha256').update(begins).digest('hex').slice(0, 40)}`
}

/**
 * What may be ids of calls in the turn's request, from its bytes; other ids are among them. A conversation that begins
 * has none.
 */
export function callIdsSent({ draft: { lens } }: Pick<Turn, 'draft'>): readonly string[] {
  if (lens.messageCount() < 3) return []
  return [...lens.body.toString('latin1').matchAll(idMember)].map(([, id = '']) => id)
}

const idMember = /"(?:id|call_id|tool_call_id|tool_use_id)"\s*:\s*"([^"\\]+)"/g

export interface ThinkingOfTurn {
  request: CanonicalRequest
  /** what could not be put back, by name */
  dropped: readonly string[]
  /** what watches one answer on its way to the client */
  watch(): NonNullable<AnswerConversion['watch']>
}

/** Puts back what the turn's client left out, and sees to it that its answer can be put back as well. */
export function thinkingOfTurn(
  { conversation }: Turn,
  request: CanonicalRequest,
  /** `by`: provider and model */
  provider: { of: WireProtocol; by: string },
  { thinking, clock }: { thinking: KeptThinking; clock: Pick<Clock, 'now'> },
): ThinkingOfTurn | null {
  if (conversation === undefined || conversation === null) return null
  const { answers, forgotten } = thinking.of(conversation, () => callIdsIn(request.messages))
  const back = answers.length > 0 || forgotten ? putBack(request, answers, provider.by, forgotten) : null
  if (back) thinking.sent(conversation, back.handedBack, back.request !== request)
  const facts = { ...provider, ordinal: answersIn(request.messages), at: clock.now() }
  return {
    request: back?.request ?? request,
    dropped: back?.lost ? ['thinking'] : [],
    watch: watcher(facts, conversation, thinking),
  }
}

/** Apart from the request, which must not stay as long as its answer may last. */
const watcher =
  (
    facts: Parameters<typeof collectAnswer>[0],
    conversation: string,
    thinking: Pick<KeptThinking, 'add'>,
  ): ThinkingOfTurn['watch'] =>
  () =>
    collectAnswer(facts, (answer) => thinking.add(conversation, answer))
