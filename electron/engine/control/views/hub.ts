import type { EngineUpdate, FollowedSubject } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import { updateQueue } from './update-queue.ts'

/** Changes closer together than this reach viewers as one. */
const COALESCE_MS = 40

/** Spreads changes to every viewer; a change that no viewer looks at costs only a set entry. */
export interface ViewHub {
  sessionChanged(id: string): void
  terminalChanged(id: string): void
  statusChanged(): void
  /** health, quotas or routes */
  providersChanged(): void
  alarmsChanged(): void
  publish(update: EngineUpdate): void
  /** @param subject leaves out what is about anything else */
  follow(signal: AbortSignal, subject?: FollowedSubject): AsyncIterable<EngineUpdate>
  readonly viewers: number
  /** every viewer has been handed all there is to tell */
  readonly upToDate: boolean
}

export interface ViewHubDeps {
  clock: Clock
  snapshot(): Promise<EngineUpdate>
  session(id: string): EngineUpdate
  terminal(id: string): EngineUpdate
  status(): EngineUpdate
  providers(): EngineUpdate
  alarms(): EngineUpdate
}

export function createViewHub(deps: ViewHubDeps): ViewHub {
  const queues = new Set<ReturnType<typeof updateQueue>>()
  const dirty = {
    sessions: new Set<string>(),
    terminals: new Set<string>(),
    status: false,
    providers: false,
    alarms: false,
  }
  let scheduled = false

  const flush = () => {
    scheduled = false
    const updates = [
      ...Array.from(dirty.terminals, (id) => deps.terminal(id)),
      ...Array.from(dirty.sessions, (id) => deps.session(id)),
      ...(dirty.status ? [deps.status()] : []),
      ...(dirty.providers ? [deps.providers()] : []),
      ...(dirty.alarms ? [deps.alarms()] : []),
    ]
    dirty.sessions.clear()
    dirty.terminals.clear()
    dirty.status = false
    dirty.providers = false
    dirty.alarms = false
    for (const queue of queues) for (const update of updates) queue.push(update)
  }
  const schedule = () => {
    if (scheduled || queues.size === 0) return
    scheduled = true
    deps.clock.after(COALESCE_MS, flush)
  }

  return {
    get viewers() {
      return queues.size
    },
    get upToDate() {
      return !scheduled && Array.from(queues).every(({ size }) => size === 0)
    },
    sessionChanged(id) {
      if (queues.size > 0) {
        dirty.sessions.add(id)
        schedule()
      }
    },
    terminalChanged(id) {
      if (queues.size > 0) {
        dirty.terminals.add(id)
        schedule()
      }
    },
    statusChanged() {
      if (queues.size > 0) {
        dirty.status = true
        schedule()
      }
    },
    providersChanged() {
      if (queues.size > 0) {
        dirty.providers = true
        schedule()
      }
    },
    alarmsChanged() {
      if (queues.size > 0) {
        dirty.alarms = true
        schedule()
      }
    },
    publish(update) {
      for (const queue of queues) queue.push(update)
    },
    async *follow(signal, subject) {
      let wake: () => void = () => undefined
      const queue = updateQueue(() => wake(), subject)
      const stop = () => wake()
      signal.addEventListener('abort', stop, { once: true })
      // Joined before the snapshot is made: a change in between arrives twice rather than never.
      queues.add(queue)
      try {
        yield about(subject, await deps.snapshot())
        while (!signal.aborted) {
          if (queue.size === 0)
            await new Promise<void>((resolve) => {
              wake = resolve
              if (signal.aborted || queue.size > 0) resolve()
            })
          for (const update of queue.take()) {
            if (signal.aborted) return
            yield update
          }
        }
      } finally {
        queues.delete(queue)
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

/** Of a snapshot what is asked for: sessions and all that comes with them are the greater part of it. */
function about(subject: FollowedSubject | undefined, snapshot: EngineUpdate): EngineUpdate {
  if (subject === undefined || snapshot.type !== 'snapshot') return snapshot
  const { type, status, alarms, providers, routing } = snapshot
  return {
    type,
    status,
    sessions: [],
    terminals: [],
    ...(subject === 'alarms' && { alarms }),
    ...(subject === 'providers' && { providers, routing }),
  }
}
