import type { EngineUpdate, FollowedSubject } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'

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

/**
 * The updates one viewer has still to read. A newer state of the same session, terminal or engine replaces the older
 * one in place, so a slow viewer gets the newest picture and never a growing queue; events and turns keep their order
 * and are bounded (the timeline and the records can be asked for what was dropped).
 */
interface UpdateQueue {
  push(update: EngineUpdate): void
  /** everything waiting, oldest first */
  take(): EngineUpdate[]
  readonly size: number
}

const MOST_EVENTS = 2_000

/** @param subject takes no others */
function updateQueue(onFilled: () => void, subject?: FollowedSubject): UpdateQueue {
  let byKey = new Map<string, EngineUpdate>()
  let events = 0
  let serial = 0
  return {
    get size() {
      return byKey.size
    },
    push(update) {
      if (subject !== undefined && update.type !== subject) return
      const key = keyOf(update)
      if (key === null) {
        if (events >= MOST_EVENTS) return
        events++
      }
      const wasEmpty = byKey.size === 0
      byKey.set(key ?? `event:${serial++}`, update)
      if (wasEmpty) onFilled()
    },
    take() {
      const all = Array.from(byKey.values())
      byKey = new Map()
      events = 0
      return all
    },
  }
}

/** null: nothing newer stands for it. */
function keyOf(update: EngineUpdate): string | null {
  switch (update.type) {
    case 'snapshot':
      return 'snapshot'
    case 'status':
      return 'status'
    case 'session':
      return `session:${update.session.id}`
    case 'session-removed':
      return `session:${update.id}`
    case 'terminal':
      return `terminal:${update.terminal.id}`
    case 'terminal-removed':
      return `terminal:${update.id}`
    case 'machine':
      return `machine:${update.machine.name}`
    case 'machine-removed':
      return `machine:${update.machine}`
    case 'machine-session':
      return `machine-session:${update.machine}:${update.session.id}`
    case 'machine-session-removed':
      return `machine-session:${update.machine}:${update.id}`
    case 'providers':
      return 'providers'
    case 'alarms':
      return 'alarms'
    case 'devices':
    case 'rights':
    case 'windows-signed-out':
      return update.type
    case 'event':
    case 'turn':
    case 'notice':
      return null
  }
}
