import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError, problemOf } from '../../base/errors.ts'
import type { Document } from '../../store/types.ts'
import { eventsOf } from './entry/entry-events.ts'
import { submittedAtOf, viewOf, type OutboxEntry } from './entry.ts'
import { keep } from '../../store/kept.ts'
import type { EntryUpdate, OutboxTransaction, OutboxListener } from './listener.ts'
import { prune, type OutboxState } from './outbox-file.ts'
import { serial, type Serial } from '../../base/work.ts'
import type { OutboxSettings } from './settings.ts'
import { transition, type EntryEvent, type Refusal } from './entry/transition.ts'

/** One change in the making. It counts only once it is committed. */
export interface Draft {
  readonly state: OutboxState
  /** null when the transition was made, else why not */
  apply(id: string, ...events: readonly EntryEvent[]): Refusal | null
  set(patch: Partial<OutboxState>): void
}

/** The one writer of a scope's outbox: state, file, and the effects of a change. */
export interface Writer {
  readonly state: OutboxState
  find(id: string): OutboxEntry | null
  readonly queue: Serial
  /**
   * `durable`: refused as a whole when the disk refuses. `best-effort`: true whatever the disk says. `memory`: never
   * written.
   */
  commit(kind: 'durable' | 'best-effort' | 'memory', build: (draft: Draft) => void): Promise<void>
  /** Calls a listener; an error of it is recorded and stops nothing. */
  tell(work: () => Promise<void>): Promise<void>
  /** @throws OnwardError `store-failed` */
  flush(): Promise<void>
  /** false while the disk lags */
  durable(): boolean
  dispose(): void
}

export interface WriterDeps {
  document: Document<OutboxState>
  initial: OutboxState
  clock: Clock
  record: RecordEvent
  settings(): OutboxSettings
  listener: OutboxListener
  transaction(): OutboxTransaction
}

interface Step {
  before: OutboxEntry
  after: OutboxEntry
  event: EntryEvent
}

export const entryUpdate = (entry: OutboxEntry): EntryUpdate => ({ ...viewOf(entry), group: entry.group })

export function createWriter(deps: WriterDeps): Writer {
  const { record, listener } = deps
  const queue = serial()
  const kept = keep(deps.initial, (state) => deps.document.set(state), {
    clock: deps.clock,
    retryMs: () => deps.settings().writeAgainMs,
    queue,
  })

  const tell = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      record(where(deps.initial.scope, null), {
        type: 'engine-problem',
        ...problemOf(error, 'outbox-listener'),
      })
    }
  }
  const follow = async ({ before, after, event }: Step) => {
    const requestId = event.type === 'receipt' ? (event.requestId ?? null) : null
    for (const body of eventsOf(before, after, event))
      record({ ...where(after.scope, after.sessionId), requestId }, body)
    const { phase } = after
    if (phase.state === before.phase.state) return
    const update = { ...entryUpdate(after), ...(requestId === null ? {} : { carriedBy: requestId }) }
    if (submittedAtOf(before.phase) === null && submittedAtOf(phase) !== null)
      await tell(() => listener.submitted(update, deps.transaction()))
    if (phase.state === 'confirmed') await tell(() => listener.confirmed(update, phase.late, deps.transaction()))
    else if (phase.state === 'failed') await tell(() => listener.failed(update, phase.reason, deps.transaction()))
    else if (phase.state === 'cancelled' || phase.state === 'superseded' || phase.state === 'expired')
      await tell(() => listener.ended(update, deps.transaction()))
  }

  return {
    get state() {
      return kept.value
    },
    find: (id) => kept.value.entries.find((e) => e.id === id) ?? null,
    queue,
    async commit(kind, build) {
      const { draft, steps } = draftOf(kept.value)
      build(draft)
      if (draft.state === kept.value) return
      const next = { ...draft.state, entries: prune(draft.state.entries, deps.clock.now(), deps.settings()) }
      if (kind === 'memory') kept.keepInMemory(next)
      else if (kind === 'best-effort') await kept.writeBestEffort(next)
      else
        await kept.writeDurable(next).catch((error: unknown) => {
          throw storeFailed(error)
        })
      for (const step of steps) await follow(step)
      listener.changed()
    },
    tell,
    durable: kept.durable,
    flush: () =>
      kept.flush().catch((error: unknown) => {
        throw storeFailed(error)
      }),
    dispose: () => kept.dispose(),
  }
}

function draftOf(initial: OutboxState): { draft: Draft; steps: readonly Step[] } {
  let state = initial
  const steps: Step[] = []
  const draft: Draft = {
    get state() {
      return state
    },
    apply(id, ...events) {
      const found = state.entries.find((e) => e.id === id)
      if (!found) return 'wrong-state'
      const taken: Step[] = []
      let entry = found
      for (const event of events) {
        const outcome = transition(entry, event)
        if (!outcome.ok) return outcome.refusal
        taken.push({ before: entry, after: outcome.entry, event })
        entry = outcome.entry
      }
      steps.push(...taken)
      state = { ...state, entries: state.entries.map((e) => (e.id === id ? entry : e)) }
      return null
    },
    set(patch) {
      state = { ...state, ...patch }
    },
  }
  return { draft, steps }
}

const where = (scope: OutboxState['scope'], sessionId: string | null) => ({ scope, sessionId })

const storeFailed = (error: unknown): OnwardError =>
  OnwardError.isInstance(error) && error.code === 'store-failed'
    ? error
    : new OnwardError(
        'store-failed',
        `The followups of this terminal could not be saved, so nothing was changed. ${messageOf(error)}`,
        { cause: error },
      )
