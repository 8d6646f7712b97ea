import type { HoldReason } from '../../../../../shared/events.ts'
import type { Clock } from '../../../base/clock.ts'
import { isLeftOver, isOwed, type OutboxEntry } from '../entry.ts'

/** Texts of ours that stand in the composer and are not to be entered, now or at all. */
export interface LeftTexts {
  /** the one to take out now */
  due(entries: readonly OutboxEntry[]): OutboxEntry | null
  /** milliseconds until one is due; null when none will be by itself */
  dueIn(entries: readonly OutboxEntry[]): number | null
  /** it could not be taken out: something else stands there as well, or the screen doesn't show it */
  tried(id: string): void
}

/**
 * Holds that end with the person's own hand on the line, or where no key of ours may go: the text stays. The others may
 * last for hours, and anything a person writes meanwhile would merge with it.
 */
const stays: ReadonlySet<HoldReason['code']> = new Set([
  'settling',
  'typing',
  'draft',
  'dialog-open',
  'shell-in-front',
  'foreground-unknown',
  'screen-unknown',
  'screen-unread',
  'copy-mode',
  'tmux-mode',
  'terminal-offline',
  'inbox-away',
  'enter-ignored',
  'not-drawn',
  'store-failed',
  'behind',
])

export function createLeftTexts(clock: Clock, takeOutMs: () => number): LeftTexts {
  const since = new Map<string, number>()

  const waitOf = (entry: OutboxEntry): number | null => {
    const { phase } = entry
    // a screen may be slow to show that it was sent
    if (isLeftOver(entry)) return phase.state === 'confirmed' ? takeOutMs() : 0
    if (phase.state !== 'queued' || !isOwed(entry)) return null
    if (phase.broken) return 0
    if (phase.hold === null || stays.has(phase.hold.code)) return null
    return phase.hold.code === 'paused' ? 0 : takeOutMs()
  }
  /** The wait is over once, however often the engine starts again meanwhile. */
  const sinceConfirmed = ({ phase }: OutboxEntry): number =>
    phase.state === 'confirmed' ? Math.max(0, clock.now() - phase.confirmedAt) : 0
  const leftOf = (entry: OutboxEntry): number | null => {
    const wait = waitOf(entry)
    if (wait === null) return null
    const from = since.get(entry.id) ?? clock.monotonic() - sinceConfirmed(entry)
    since.set(entry.id, from)
    return Math.max(0, from + wait - clock.monotonic())
  }
  const firstWaiting = (entries: readonly OutboxEntry[]) => {
    const waiting = entries.flatMap((entry) => {
      const left = leftOf(entry)
      return left === null ? [] : [{ entry, left }]
    })
    for (const id of since.keys()) if (!waiting.some(({ entry }) => entry.id === id)) since.delete(id)
    return waiting.sort((a, b) => a.left - b.left)[0] ?? null
  }

  return {
    due(entries) {
      const first = firstWaiting(entries)
      return first && first.left === 0 ? first.entry : null
    },
    dueIn: (entries) => firstWaiting(entries)?.left ?? null,
    tried: (id) => void since.set(id, clock.monotonic() + takeOutMs()),
  }
}
