import type { HoldReason, NearLimit, RecordEvent } from '../../../../../shared/events.ts'
import type { ClientKind } from '../../../../../shared/words.ts'
import type { Clock } from '../../../base/clock.ts'
import type { LeftSignal } from '../../left-signal.ts'
import type { Way } from '../../inbox/agent-inboxes.ts'
import type { SafeFor } from '../../safe-text.ts'
import type { FindTarget } from '../../types.ts'
import { sameHold } from '../entry/entry-events.ts'
import type { OutboxEntry } from '../entry.ts'
import type { OutboxListener } from '../listener.ts'
import type { Requests } from '../receipts/requests.ts'
import type { OutboxSettings } from '../settings.ts'
import { entryUpdate, type Writer } from '../writer.ts'
import type { GoneText } from './gone-text.ts'
import { isOrdinary, lineUp, type ScopeFacts } from './holds.ts'
import type { IdleSign } from './idle-sign.ts'
import type { LeftTexts } from './left-texts.ts'
import type { QuietLine } from './quiet-line.ts'
import type { TypingRun } from './typing-run.ts'

export interface SenderDeps {
  writer: Writer
  requests: Requests
  clock: Clock
  record: RecordEvent
  settings(): OutboxSettings
  listener: OutboxListener
  findTarget: FindTarget
  terminalId(): string | null
  client(): ClientKind
  safeText(text: string, how: SafeFor): string
  pausedGlobally(): boolean
  /** the session's provider is near its limit: entries that keep it going by itself wait for the reset */
  nearLimit?(sessionId: string): NearLimit | null
  /** the agent's own inbox. `wanted`: texts go there, where it has one */
  inbox?: { wanted(): boolean; of(terminalId: string): Promise<Way> }
  /** the screen shows this conversation, which is not the one that asked last */
  inFront?(sessionId: string): void
}

/** One terminal's sender: what it was made with, what it has seen, and where it is. */
export interface SendContext extends SenderDeps {
  line: QuietLine
  goneText: GoneText
  leftTexts: LeftTexts
  idleSign: IdleSign
  leftSignal: LeftSignal
  /** since when an entry is held by something out of the ordinary, and whether that was announced */
  held: Map<string, { since: number; announced: boolean }>
  over: AbortController
  closed: boolean
  /** another check follows the one that is under way */
  again: boolean
  /** the entry being typed right now */
  run: TypingRun | null
}

/** milliseconds of the settle time that are left; null when it is over, or the agent showed that it came to rest */
export function settlesIn({ settings, requests, idleSign }: SendContext): number | null {
  const left = settings().settleMs - (requests.quietFor() ?? Infinity)
  return left > 0 && !idleSign.given() ? left : null
}

export const lineOf = (context: SendContext): ReturnType<typeof lineUp> =>
  lineUp(context.writer.state.entries, factsOf(context))

const factsOf = (context: SendContext): ScopeFacts => ({
  paused: context.pausedGlobally() ? 'global' : context.writer.state.paused ? 'session' : null,
  running: context.requests.running,
  settling: settlesIn(context) !== null,
  conversation: context.writer.state.conversation,
  nearLimit: (sessionId) => context.nearLimit?.(sessionId) ?? null,
})

export async function hold(context: SendContext, holds: ReadonlyMap<string, HoldReason>): Promise<void> {
  await context.writer.commit('memory', (draft) => {
    for (const entry of draft.state.entries) {
      const reason = holds.get(entry.id)
      if (reason && entry.phase.state === 'queued' && !sameHold(entry.phase.hold, reason))
        draft.apply(entry.id, { type: 'hold', reason })
    }
  })
  for (const [id, reason] of holds) note(context, id, reason)
}

function note(
  { writer, requests, goneText, held, clock, settings, listener }: SendContext,
  id: string,
  reason: HoldReason,
) {
  // a side request of the agent's own is no work
  if (reason.code === 'agent-busy' || (reason.code === 'response-running' && requests.turns > 0))
    goneText.agentWorks(id)
  if (isOrdinary(reason)) return void held.delete(id)
  const since = held.get(id) ?? { since: clock.monotonic(), announced: false }
  held.set(id, since)
  const heldMs = clock.monotonic() - since.since
  const entry = writer.find(id)
  // a hold that only a person can end is announced at once
  const after = reason.code === 'enter-ignored' ? 0 : settings().heldLongMs
  if (since.announced || heldMs < after || !entry) return
  since.announced = true
  listener.heldLong(entryUpdate(entry), reason, heldMs)
}

/** Inside the queue: the entry that only the terminal can hold now, or that waits for its conversation there. */
export async function nextEntry(context: SendContext): Promise<OutboxEntry | null> {
  // Half moved to another terminal: nothing is typed in this one any more.
  if (context.writer.state.movedTo !== null) return null
  const { head, holds } = lineOf(context)
  await hold(context, holds)
  const reason = head && holds.get(head.id)
  return !reason || reason.code === 'other-conversation' ? head : null
}
