import { isClaude } from '../../protocol/canonical/index.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { RequestDraft } from '../request/request-draft.ts'
import type { TurnEnd } from '../turn.ts'

/**
 * True for Claude's empty answer to a tool's result when its turn is over
 * (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, "Empty responses with end_turn"), in
 * any protocol. Asked again, it says so once more, or does something the user did not want.
 */
export const isSilentEnd = (
  { choice, summary }: Pick<TurnEnd, 'choice' | 'summary'>,
  { lens }: RequestDraft,
): boolean => summary.finish === 'stop' && isClaude(choice?.upstreamModel ?? '') && endsInResults(lens)

/** Claude Code puts its reminders after results, in the same message. */
function endsInResults(lens: RequestLens): boolean {
  const last = lens.lastMessage()
  if (last?.role !== 'user') return last?.role === 'tool'
  return last.texts.length > 0 && last.texts.every((text) => text.startsWith('<system-reminder>'))
}
