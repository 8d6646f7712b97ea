import { messageOf } from '../../../base/errors.ts'
import {
  byScreen,
  conversationShown,
  type OrderedConversation,
  type TerminalReading,
  type TypeOrder,
  type TypingTarget,
} from '../../types.ts'
import { isUnseen, typingsOf, type OutboxEntry } from '../entry.ts'
import { lineOf, settlesIn, type SendContext } from './context.ts'
import { within } from './typing-run.ts'

export function targetOf({ terminalId, findTarget }: SendContext): TypingTarget | null {
  const id = terminalId()
  return id === null ? null : findTarget(id)
}

export async function read(
  { clock, requests, idleSign, leftSignal, writer, record, settings, over }: SendContext,
  target: TypingTarget,
  limitMs = settings().readMs,
): Promise<TerminalReading> {
  const unread: TerminalReading = { kind: 'hold', reason: { code: 'screen-unread' } }
  try {
    const { running } = requests
    const reading = (await within(clock, limitMs, target.read(), over.signal)) ?? unread
    idleSign.saw(reading, Math.max(running, requests.running))
    leftSignal.saw(reading)
    return leftSignal.isOld() ? byScreen(reading) : reading
  } catch (error) {
    record(
      { scope: writer.state.scope, sessionId: null },
      { type: 'engine-problem', code: 'terminal-read', message: messageOf(error) },
    )
    return unread
  }
}

/**
 * While only the settle time holds: the agent may show sooner that it came to rest. @returns the terminal, and its
 * reading if it was free
 */
export async function checkForRest(
  context: SendContext,
): Promise<{ terminalId: string; free: TerminalReading } | null> {
  const left = settlesIn(context)
  const { head, holds } = lineOf(context)
  const target = head && holds.get(head.id)?.code === 'settling' ? targetOf(context) : null
  if (!target || left === null) return null
  const seen = await read(context, target, Math.min(left, context.settings().readMs))
  return seen.kind === 'ready' ? { terminalId: target.terminalId, free: seen } : null
}

export function conversationOf(
  { writer }: Pick<SendContext, 'writer'>,
  sessionId: string,
  anyway = false,
): OrderedConversation {
  const known = writer.state.conversations
  return {
    wanted: known.find((one) => one.sessionId === sessionId) ?? { sessionId, said: [] },
    others: known.filter((one) => one.sessionId !== sessionId),
    ...(anyway && { anyway }),
  }
}

/** Inside the queue: a person may have gone to a conversation that has not asked since. */
export async function noteInFront(context: SendContext, found: TerminalReading): Promise<void> {
  if ((found.kind !== 'ready' && found.kind !== 'composer-holds') || !found.above || found.fresh) return
  const { writer } = context
  const isShown = (sessionId: string): boolean => {
    const { wanted, others } = conversationOf(context, sessionId)
    return conversationShown(found, { wanted, others }) === 'shown'
  }
  const shown = writer.state.entries.find(
    ({ phase, sessionId }) =>
      phase.state === 'queued' && sessionId !== null && sessionId !== writer.state.conversation && isShown(sessionId),
  )
  if (!shown || shown.sessionId === null) return
  context.again = true
  await writer.commit('best-effort', (draft) => draft.set({ conversation: shown.sessionId }))
  context.inFront?.(shown.sessionId)
}

export const orderOf = (
  { safeText, client, leftSignal }: SendContext,
  entry: OutboxEntry,
  bracketedPaste: boolean,
): TypeOrder => ({
  entryId: entry.id,
  text:
    entry.writtenBy === 'onward'
      ? entry.text
      : safeText(entry.text, {
          bracketedPaste,
          // a text that was queued for one agent may have moved to another
          plainFor: entry.writtenBy === 'model' ? client() : null,
        }),
  client: client(),
  ongoing: entry.sessionId !== null,
  ...(leftSignal.isOld() && { screenAlone: true }),
  ...(typingsOf(entry.phase) > 0 && { again: true }),
  ...(isUnseen(entry) && { unseen: true }),
})
