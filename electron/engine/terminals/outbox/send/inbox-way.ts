import type { HoldReason } from '../../../../../shared/events.ts'
import type { Way } from '../../inbox/agent-inboxes.ts'
import type { TerminalReading } from '../../types.ts'
import { isInInbox, isOwed, type OutboxEntry } from '../entry.ts'
import type { SendContext } from './context.ts'

/**
 * The way of this entry; null: it is typed. One that went to the inbox stays there, whatever the config says by now.
 * Before a conversation has begun there is no inbox for it, and a command of the agent's own is no message.
 */
export async function inboxWay(
  { inbox }: Pick<SendContext, 'inbox'>,
  entry: OutboxEntry,
  terminalId: string,
): Promise<Way | null> {
  if (isInInbox(entry)) return inbox ? inbox.of(terminalId) : { kind: 'typing', why: { code: 'none' } }
  if (!inbox?.wanted() || isOwed(entry) || entry.sessionId === null || entry.writtenBy === 'onward') return null
  const way = await inbox.of(terminalId)
  return way.kind === 'typing' ? null : way
}

/** Holds that are about keys alone: the agent is in front and idle, which is known before them. */
const ofKeys: ReadonlySet<HoldReason['code']> = new Set(['draft', 'typing', 'copy-mode', 'tmux-mode'])

/** The same reading for a text that touches neither composer nor keyboard. */
export function forInbox(reading: TerminalReading): TerminalReading {
  const free = reading.kind === 'composer-holds' || (reading.kind === 'hold' && ofKeys.has(reading.reason.code))
  return free ? { kind: 'ready', bracketedPaste: true } : reading
}
