import type { Clock } from '../../base/clock.ts'
import type { EntryNews, Inside } from '../../terminals/outbox/listener.ts'
import type { Desk } from './desks.ts'
import type { Office } from './office.ts'
import { armingOf, type ScopeState } from './state.ts'

/**
 * Two files tell of one followup, and a crash may have come between them. The outbox is written first and is right;
 * the state follows. `unknown`: whether an entry of unknown fate is still worth waiting for (it is not after a move).
 */
export async function reconcile(
  desk: Desk,
  inside: Inside,
  office: Office,
  clock: Clock,
  unknown: 'await' | 'drop',
): Promise<void> {
  const at = clock.now()
  const arming = armingOf(desk.kept.value.state)
  if (arming) {
    const ours = inside.entries().filter((e) => e.source === 'stopMessage' && e.group === arming.id)
    // used = max(used, rounds of submitted entries), entry by entry: none is counted twice
    for (const entry of ours) {
      if (entry.submittedAt !== null)
        await office.commit(desk, inside, {
          type: 'submitted',
          at: entry.submittedAt,
          entryId: entry.id,
          group: entry.group,
          round: entry.round,
          text: entry.text,
        })
    }
    await followEntry(desk, inside, office, ours, at, unknown)
    const pending = inside.pendingAutomation()
    if (desk.kept.value.state.kind === 'armed' && pending?.group === arming.id)
      await office.commit(desk, inside, { type: 'fire', entryId: pending.id, text: pending.text, round: null })
    if (pending?.source === 'stopMessage' && pending.group !== arming.id) await inside.supersede('re-arm')
  } else if (inside.pendingAutomation()?.source === 'stopMessage') await inside.supersede('clear')
  await agreeOnPause(desk, inside, office, at)
}

/**
 * The agent stopped, and Onward ended before a followup was queued: none of this round ever was, also none that was
 * taken back.
 */
export function isUnanswered({ state, lastStop }: ScopeState, entries: readonly EntryNews[]): boolean {
  if (state.kind !== 'armed' || !lastStop) return false
  const { id, used, course } = state.arming
  return (
    course.before?.requestId === `${lastStop.requestId}#${used}` &&
    !entries.some(({ group, round }) => group === id && round === used + 1)
  )
}

/** The followup the state waits for, or was paused for, may have come to its end unseen. */
async function followEntry(
  desk: Desk,
  inside: Inside,
  office: Office,
  ours: readonly EntryNews[],
  at: number,
  unknown: 'await' | 'drop',
): Promise<void> {
  const { state } = desk.kept.value
  const entryId = state.kind === 'injecting' || state.kind === 'paused' ? state.entryId : null
  if (entryId === null) return
  const entry = ours.find((e) => e.id === entryId)
  if (!entry) return void (await office.commit(desk, inside, { type: 'ended', entryId }))
  switch (entry.state) {
    case 'confirmed':
      return void (await office.commit(desk, inside, { type: 'confirmed', at, entryId, group: entry.group }))
    case 'failed':
      if (entry.fail)
        await office.commit(desk, inside, { type: 'failed', at, entryId, group: entry.group, reason: entry.fail })
      return
    case 'unknown':
      if (unknown === 'drop') await office.commit(desk, inside, { type: 'ended', entryId })
      return
    case 'cancelled':
    case 'superseded':
    case 'expired':
      return void (await office.commit(desk, inside, { type: 'ended', entryId }))
    default:
  }
}

/** In doubt it is paused: a click goes on, an unwanted followup cannot be taken back. */
async function agreeOnPause(desk: Desk, inside: Inside, office: Office, at: number): Promise<void> {
  const { state } = desk.kept.value
  const paused = inside.paused()
  if (state.kind === 'paused' && !paused) await inside.pause(state.reason)
  if (state.kind !== 'paused' && paused)
    await office.commit(desk, inside, { type: 'pause', at, reason: paused, totals: null })
}
