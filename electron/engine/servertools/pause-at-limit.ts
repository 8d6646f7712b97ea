import { z } from 'zod'
import type { NearLimit, RecordEvent } from '../../../shared/events.ts'
import type { Quota } from '../../../shared/routing.ts'
import { pause as waitFor, type Clock } from '../base/clock.ts'
import { problemOf } from '../base/errors.ts'
import { serial } from '../base/work.ts'
import { keepDocument } from '../store/kept.ts'
import type { DocumentSpec, Store } from '../store/types.ts'
import { freeSlot, MARGIN_MS } from './resume-at-reset/schedule.ts'

/** an open answer is looked at again: a machine sleeps, and clocks are set */
const LOOK_MS = 60_000
/** after its reset a session that nobody asks for is forgotten */
const FORGET_MS = 3_600_000
/** when there are more, those noted first are dropped */
const most = 500

type Pause = Omit<NearLimit, 'code'>
type Pauses = ReadonlyMap<string, Pause>

const file = z.object({
  sessions: z.array(
    z.object({
      session: z.string(),
      provider: z.string(),
      window: z.string(),
      usedPercent: z.number(),
      at: z.number(),
      until: z.number(),
    }),
  ),
})
type PauseFile = z.infer<typeof file>

const spec: DocumentSpec<PauseFile> = {
  path: 'pause-at-limit.json',
  version: 1,
  parse: (value) => file.parse(value),
  asideWhenNewer: true,
}

const toFile = (pauses: Pauses): PauseFile => ({
  sessions: Array.from(pauses, ([session, pause]) => ({ session, ...pause })),
})

const fromFile = ({ sessions }: PauseFile): Pauses => new Map(sessions.map(({ session, ...pause }) => [session, pause]))

export interface PauseAtLimitDeps {
  store: Store
  clock: Clock
  record: RecordEvent
  /** percent of a window; 0: off */
  pauseAt(): number
  /** an answer of the session begins or ends to be kept open */
  onOpen(sessionId: string): void
  /** when the disk refused: try again after */
  writeAgainMs?: number
}

/** Sessions whose last turn came near its provider's limit: automatic continuation waits for the reset. */
export interface PauseAtLimit {
  /** Loads the notes of before a restart. Never throws. */
  load(): Promise<void>
  /** A main turn of the session was answered. `windows`: the provider's quotas that it used, as last reported. */
  answered(sessionId: string, provider: string, windows: () => readonly Quota[]): void
  /** Once the reset has passed, sessions of one provider are let go a few seconds apart, in the order they ask. */
  of(sessionId: string): NearLimit | null
  /** Keeps an answer open until its session may go on. @returns false where the client left */
  waitOpen(sessionId: string, left: AbortSignal): Promise<boolean>
  /** an answer of the session is kept open */
  isOpen(sessionId: string): boolean
  forget(sessionId: string): void
  dispose(): void
}

export function createPauseAtLimit(deps: PauseAtLimitDeps): PauseAtLimit {
  const { store, clock, record, pauseAt, writeAgainMs } = deps
  const queue = serial()
  /** when each is let go whose reset has passed */
  const goes = new Map<string, number>()
  /** answers that are kept open, by session */
  const open = new Map<string, number>()
  const kept = keepDocument<Pauses, PauseFile>(
    { store, spec, empty: new Map(), toFile, fromFile },
    { clock, retryMs: () => writeAgainMs ?? 5_000, queue },
  )

  const put = (sessionId: string, pause: Pause | null) => {
    goes.delete(sessionId)
    if (pause === null && !kept.value.has(sessionId)) return
    const now = clock.now()
    const others = [...kept.value].filter(([id, { until }]) => id !== sessionId && until > now - FORGET_MS)
    kept.writeLater(new Map([...others.slice(1 - most), ...(pause === null ? [] : [[sessionId, pause] as const])]))
    for (const id of goes.keys()) if (!kept.value.has(id)) goes.delete(id)
    // If the disk refuses, it is written again later, and the store reports it.
    void queue(kept.writeOwed)
  }
  const goesAt = (sessionId: string, provider: string, now: number): number => {
    const known = goes.get(sessionId)
    if (known !== undefined) return known
    const others = [...goes].flatMap(([id, at]) => (kept.value.get(id)?.provider === provider ? [at] : []))
    const at = freeSlot(others, now)
    goes.set(sessionId, at)
    return at
  }

  const api: PauseAtLimit = {
    load: () =>
      queue(async () => {
        try {
          await kept.load()
        } catch (error) {
          record({}, { type: 'store-problem', file: spec.path, ...problemOf(error, 'store-failed') })
        }
      }),
    answered(sessionId, provider, windows) {
      const from = pauseAt()
      const now = clock.now()
      const found = from === 0 ? [] : windows().flatMap((quota) => pauseOf(quota, from, provider, now) ?? [])
      put(sessionId, found.toSorted((a, b) => b.until - a.until)[0] ?? null)
    },
    of(sessionId) {
      const pause = kept.value.get(sessionId)
      const from = pauseAt()
      if (!pause || from === 0 || pause.usedPercent < from) return null
      const now = clock.now()
      const until = pause.until > now ? pause.until : goesAt(sessionId, pause.provider, now)
      return until > now ? { code: 'near-limit', ...pause, until } : null
    },
    async waitOpen(sessionId, left) {
      const change = (by: 1 | -1) => {
        const count = (open.get(sessionId) ?? 0) + by
        if (count > 0) open.set(sessionId, count)
        else open.delete(sessionId)
        deps.onOpen(sessionId)
      }
      change(1)
      try {
        for (let near = api.of(sessionId); near; near = api.of(sessionId))
          if (!(await waitFor(clock, Math.min(LOOK_MS, near.until - clock.now()), left))) return false
        return true
      } finally {
        change(-1)
      }
    },
    isOpen: (sessionId) => open.has(sessionId),
    forget: (sessionId) => put(sessionId, null),
    dispose: () => kept.dispose(),
  }
  return api
}

/** Returns null if the reset time is unknown: then it is unknown how long to wait. */
function pauseOf({ window, usedPercent, resetsAt }: Quota, from: number, provider: string, now: number): Pause | null {
  return usedPercent !== null && usedPercent >= from && resetsAt !== null
    ? { provider, window, usedPercent, at: now, until: resetsAt + MARGIN_MS }
    : null
}
