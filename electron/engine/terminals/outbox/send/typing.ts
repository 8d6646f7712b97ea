import { messageOf } from '../../../base/errors.ts'
import type { TerminalReading, TypeResult } from '../../types.ts'
import { isOwed, isUnseen, type OutboxEntry } from '../entry.ts'
import type { EntryEvent } from '../entry/transition.ts'
import { hold, nextEntry, type SendContext } from './context.ts'
import { eventsOfGone, eventsOfResult, holdOf } from './outcome.ts'
import { startRun, type TypingRun } from './typing-run.ts'

export interface Begun {
  entry: OutboxEntry
  owed: boolean
  run: TypingRun
}

/** Inside the queue: from a reading to a typing entry that is on disk, or to a hold. */
export async function begin(
  context: SendContext,
  { id, revision }: OutboxEntry,
  reading: TerminalReading,
  inbox: boolean,
): Promise<Begun | null> {
  const { writer, clock, line, goneText } = context
  const entry = await nextEntry(context)
  // While the terminal was read, another entry may have come to the front, a person may have edited this one, or
  // something came up.
  if (context.closed || !entry) return null
  if (entry.id !== id || entry.revision !== revision) {
    context.again = true
    return null
  }
  // The screen shows nothing else: the conversation that asked last is in front.
  if (entry.sessionId !== null && entry.sessionId !== writer.state.conversation) return null
  const owed = isOwed(entry)
  const holds = holdOf(reading, entry)
  if (owed && reading.kind === 'composer-holds' && holds === null) goneText.stands(id)
  const stop = line.saw(holds)
  if (stop) {
    await hold(context, new Map([[id, stop]]))
    return null
  }
  const at = clock.now()
  const instead = async (...events: EntryEvent[]): Promise<null> => {
    await writer.commit('best-effort', (draft) => draft.apply(id, ...events))
    context.again = true
    return null
  }
  if (reading.kind === 'gone') return instead({ type: 'fail', at, reason: reading.reason })
  if (entry.phase.state === 'queued' && entry.phase.broken) return null
  if (owed && reading.kind === 'ready' && !isUnseen(entry)) {
    const judgement = goneText.judge(id)
    if (judgement !== null) return instead(...eventsOfGone(entry, judgement, at))
    await hold(context, new Map([[id, { code: 'settling' }]]))
    return null
  }
  // the screen was slow to show the text: it seemed to be removed, and stands there after all
  if (!owed && reading.kind === 'composer-holds')
    return instead({ type: 'owe-enter', reason: { code: 'settling' }, at })
  const run = startRun(id, inbox)
  context.run = run
  try {
    await writer.commit('durable', (draft) => draft.apply(id, { type: 'begin', at, inbox }))
  } catch (error) {
    context.run = null
    await hold(context, new Map([[id, { code: 'store-failed', message: messageOf(error) }]]))
    return null
  }
  context.held.delete(id)
  return { entry, owed, run }
}

/** Inside the queue: turns the terminal's answer into the entry's state. */
export async function settle(context: SendContext, begun: Begun, result: TypeResult): Promise<void> {
  const { writer, clock, line, goneText } = context
  const { id } = begun.entry
  if (result.kind === 'held' || result.kind === 'enter-owed') line.saw(result.reason)
  if (result.kind === 'removed' || (result.kind === 'enter-owed' && result.shown)) goneText.stands(id)
  // its time begins now, not with the next reading
  if (result.kind === 'removed') goneText.judge(id)
  try {
    await writer.commit('best-effort', (draft) => {
      // A request that carried the text may have proved its arrival already.
      if (draft.apply(id, ...eventsOfResult(result, begun.owed && !begun.run.inInbox, clock.now())) !== null) return
      if (begun.run.withdrawal) draft.apply(id, { ...begun.run.withdrawal, at: clock.now() })
    })
  } finally {
    context.run = null
    begun.run.settle()
  }
}
