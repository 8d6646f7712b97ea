import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import type { LedgerEntry } from '../../servertools/ledger/entry.ts'
import type { Ledger } from '../../servertools/ledger/ledger.ts'
import { matchEntries } from '../../servertools/ledger/match.ts'
import { rewritten } from '../request/request-draft.ts'
import { continueFrom } from './response-ids.ts'
import type { Turn } from '../turn.ts'

/**
 * Puts back what the provider saw and the client did not, each at the answer it belongs to, so that the provider sees
 * one unchanging history. A session without any costs one look. `continued`: `previous_response_id` has been translated
 * already.
 * @returns how many answers the client's history holds; null: not counted
 */
export async function restoreHistory(
  turn: Turn,
  sessionId: string,
  { ledger, log, continued }: { ledger: Ledger; log: Log; continued: boolean },
): Promise<number | null> {
  const { call, identity } = turn
  if (!ledger.mayHave(sessionId)) return null
  try {
    const entries = await ledger.of(sessionId, call.entry)
    if (entries.length === 0) return null
    const serverTools = serverToolCodecOf(call.entry)
    const { lens } = turn.draft
    const answers = serverTools.turns(lens)
    const { found, lost } = matchEntries(entries, answers)
    const edits = found.flatMap(({ entry, turn: answer }) => serverTools.restore(lens, answer, entry.hidden))
    turn.draft = rewritten(turn.draft, edits)
    const previous = lens.value('previous_response_id')
    const kept = (lens.value('conversation') ?? null) !== null
    if (typeof previous === 'string' && !continued) {
      const named = entries.findLast(({ responseId }) => responseId === previous)
      if (named) continueFrom(turn, { continuesAs: named.continuesAs ?? previous, results: named.hidden.results })
    } else if (kept) answerOpenCalls(turn, entries)
    // Where the provider keeps the history, or only part of it came, the rest is unknown.
    const isWhole =
      identity.kind === 'turn' && !identity.retry && answers.length > 0 && typeof previous !== 'string' && !kept
    if (isWhole && lost.length > 0) await ledger.forget(sessionId, lost)
    return answers.length
  } catch (error) {
    log.error(
      { requestId: call.requestId, error: messageOf(error) },
      'the hidden history of a session could not be put back; its request goes without',
    )
    return null
  }
}

/**
 * In a conversation that the provider keeps, the client's results identify the answer whose hidden calls wait for
 * theirs.
 */
function answerOpenCalls(turn: Turn, entries: readonly LedgerEntry[]): void {
  const open = entries.findLast(
    ({ hidden, anchor }) =>
      hidden.results.length > 0 && anchor.calls.some((id) => turn.draft.lens.body.includes(JSON.stringify(id))),
  )
  if (open?.responseId) continueFrom(turn, { continuesAs: open.responseId, results: open.hidden.results })
}
