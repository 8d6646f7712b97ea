import { z } from 'zod'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Quota } from '../../../../shared/routing.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { serial } from '../../base/serial.ts'
import { keep } from '../../store/kept.ts'
import type { Document, DocumentSpec, Store } from '../../store/types.ts'
import type { NearLimit } from '../../terminals/outbox/send/holds.ts'

/** providers round their reset times, and clocks differ */
const MARGIN_MS = 5_000
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

export interface PauseAtLimitDeps {
  store: Store
  clock: Clock
  record: RecordEvent
  /** percent of a window; 0: off */
  pauseAt(): number
  /** when the disk refused: try again after */
  writeAgainMs?: number
}

/** Sessions whose last turn came near its provider's limit: automatic continuation waits for the reset. */
export interface PauseAtLimit {
  /** Loads the notes of before a restart. Never throws. */
  load(): Promise<void>
  /** A main turn of the session was answered. `windows`: the provider's quotas that it used, as last reported. */
  answered(sessionId: string, provider: string, windows: () => readonly Quota[]): void
  of(sessionId: string): NearLimit | null
  forget(sessionId: string): void
  dispose(): void
}

export function createPauseAtLimit({ store, clock, record, pauseAt, writeAgainMs }: PauseAtLimitDeps): PauseAtLimit {
  const queue = serial()
  let document: Document<PauseFile> | null = null
  const write = async (pauses: Pauses) => {
    document ??= await store.document(spec)
    await document.set({ sessions: Array.from(pauses, ([session, pause]) => ({ session, ...pause })) })
  }
  const kept = keep<Pauses>(new Map(), write, { clock, retryMs: () => writeAgainMs ?? 5_000, queue })

  const put = (sessionId: string, pause: Pause | null) => {
    if (pause === null && !kept.value.has(sessionId)) return
    const now = clock.now()
    const others = [...kept.value].filter(([id, { until }]) => id !== sessionId && until > now)
    kept.writeLater(new Map([...others.slice(1 - most), ...(pause === null ? [] : [[sessionId, pause] as const])]))
    // If the disk refuses, it is written again later, and the store reports it.
    void queue(kept.writeOwed)
  }
  return {
    load: () =>
      queue(async () => {
        try {
          document = await store.document(spec)
          const sessions = document.get()?.sessions ?? []
          kept.keepInMemory(new Map(sessions.map(({ session, ...pause }) => [session, pause])))
        } catch (error) {
          const code = OnwardError.isInstance(error) ? error.code : 'store-failed'
          record({}, { type: 'store-problem', file: spec.path, code, message: messageOf(error) })
        }
      }),
    answered(sessionId, provider, windows) {
      const from = pauseAt()
      const now = clock.now()
      const found = from === 0 ? [] : windows().flatMap((quota) => pauseFor(quota, from, provider, now) ?? [])
      put(sessionId, found.toSorted((a, b) => b.until - a.until)[0] ?? null)
    },
    of(sessionId) {
      const pause = kept.value.get(sessionId)
      const from = pauseAt()
      return pause && from > 0 && pause.usedPercent >= from && pause.until > clock.now()
        ? { code: 'near-limit', ...pause }
        : null
    },
    forget: (sessionId) => put(sessionId, null),
    dispose: () => kept.dispose(),
  }
}

/** Returns null if the reset time is unknown: then it is unknown how long to wait. */
function pauseFor({ window, usedPercent, resetsAt }: Quota, from: number, provider: string, now: number): Pause | null {
  return usedPercent !== null && usedPercent >= from && resetsAt !== null
    ? { provider, window, usedPercent, at: now, until: resetsAt + MARGIN_MS }
    : null
}
