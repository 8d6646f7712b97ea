import { z } from 'zod'
import type { QuietHours } from '../../../shared/config/notifications.ts'
import { noticeClasses } from '../../../shared/notice-classes.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Clock } from '../base/clock.ts'
import { offsetsOf, dateAt, instantOf, type OffsetAt } from '../base/calendar/wall-time.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { createRingTimer } from '../clock/alarm-service.ts'
import type { DocumentSpec, Store } from '../store/types.ts'

export type QuietOver = Omit<Extract<NoticeFact, { class: 'quiet-over' }>, 'needs'>

/** Keeps notices back in quiet hours, over restarts too, and has them sent as one when the hours end. */
export interface Quiet {
  /** true: it is kept, and must not be shown now */
  keeps(fact: Pick<NoticeFact, 'class'> & { own?: true }): boolean
  held(): number
  /** the clock, the zone or the config may have changed */
  look(): void
  start(): void
  flush(): Promise<void>
  dispose(): void
}

export interface QuietDeps {
  clock: Clock
  log: Log
  store: Pick<Store, 'document'>
  hours(): QuietHours
  /** IANA name */
  zone(): string
  tell(over: QuietOver): void
  onChange(): void
}

/** A computer that slept, or whose clock was set, is noticed within this (milliseconds). */
const TICK_MS = 60_000

const shape = z.partialRecord(z.enum(noticeClasses), z.number().int().min(1))
type Counts = Readonly<z.infer<typeof shape>>
const spec: DocumentSpec<Counts> = {
  path: 'quiet-hours.json',
  version: 1,
  parse: (value) => shape.parse(value),
  whenCorrupt: {},
}

export async function createQuiet({ clock, log, store, hours, zone, tell, onChange }: QuietDeps): Promise<Quiet> {
  const document = await store.document(spec)
  let counts: Counts = document.get() ?? {}
  /** asked for when it matters: a zone's rules take milliseconds to load */
  let offsets: { zone: string; at: ReturnType<typeof offsetsOf> } | null = null
  let saving: Promise<unknown> = Promise.resolve()

  const save = () => {
    const now = counts
    saving = document
      .update(() => (isEmpty(now) ? null : now))
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'notices of quiet hours could not be kept'))
  }
  const until = (): number | null => {
    const here = zone()
    if (offsets?.zone !== here) offsets = { zone: here, at: offsetsOf(here) }
    return quietUntil(hours(), clock.now(), offsets.at)
  }
  /** Shown first and forgotten then: after a crash between the two it is shown twice, but never lost. */
  const look = () => {
    if (isEmpty(counts) || until() !== null) return
    const over = counts
    counts = {}
    tell({
      class: 'quiet-over',
      count: countOf(over),
      classes: noticeClasses.filter((kind) => over[kind] !== undefined),
    })
    save()
    onChange()
  }
  const timer = createRingTimer({
    clock,
    tickMs: () => TICK_MS,
    next: () => (isEmpty(counts) ? null : (until() ?? clock.now())),
    restless: () => false,
    ring: look,
  })
  return {
    keeps(fact) {
      if (fact.class === 'quiet-over' || until() === null || passes(hours(), fact)) return false
      counts = { ...counts, [fact.class]: (counts[fact.class] ?? 0) + 1 }
      save()
      timer.arm()
      onChange()
      return true
    },
    held: () => countOf(counts),
    look() {
      look()
      timer.again()
    },
    start() {
      timer.start()
    },
    async flush() {
      await saving
    },
    dispose() {
      timer.dispose()
    },
  }
}

const isEmpty = (counts: Counts): boolean => Object.keys(counts).length === 0
const countOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + (count ?? 0), 0)

/**
 * The end of the quiet hours that are now; null: there are none now. They are a span between two instants, so that an
 * hour which the clocks skip or repeat makes no second night of one.
 */
export function quietUntil(hours: QuietHours, now: number, offsetAt: OffsetAt): number | null {
  if (!hours.on) return null
  const from = timeOf(hours.from)
  const to = timeOf(hours.to)
  const acrossMidnight = minutesOf(to) <= minutesOf(from)
  const today = dateAt(now, offsetAt)
  for (const days of [-1, 0]) {
    const day = today.day + days
    const start = instantOf({ ...today, day }, from, offsetAt)
    const end = instantOf({ ...today, day: day + (acrossMidnight ? 1 : 0) }, to, offsetAt)
    if (start <= now && now < end) return end
  }
  return null
}

/** True if a person lets the notice through. */
export const passes = (
  { needsYou, ownAlarms }: QuietHours,
  fact: Pick<NoticeFact, 'class'> & { own?: true },
): boolean => (fact.class === 'needs-you' && needsYou) || (fact.class === 'alarm-due' && ownAlarms && fact.own === true)

function timeOf(text: string): { hour: number; minute: number; second: number } {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute, second: 0 }
}
const minutesOf = ({ hour, minute }: { hour: number; minute: number }): number => hour * 60 + minute
