import { z } from 'zod'
import type { ClientKind, Scope } from '../../../../shared/words.ts'
import { disposables } from '../../base/disposable.ts'
import { OnwardError, problemOf } from '../../base/errors.ts'
import type { Document } from '../../store/types.ts'
import type { OutboxListener } from './listener.ts'
import { createOutbox, type Outbox, type OutboxDeps } from './outbox.ts'
import { OUTBOX_FOLDER, outboxSpec, outboxSpecAt, prune } from './outbox-file.ts'
import { serial, type Serial } from '../../base/work.ts'

export interface OutboxesDeps extends Omit<
  OutboxDeps,
  'scope' | 'terminalId' | 'client' | 'listener' | 'pausedGlobally' | 'inFront'
> {
  terminalOf(scope: Scope): string | null
  clientOf(scope: Scope): ClientKind
  /** a screen shows a conversation that is not the one that asked last in its terminal */
  inFront?(scope: Scope, sessionId: string): void
}

/** All outboxes of the engine, and the global pause. */
export interface Outboxes {
  /** Sets the listener; once, before `load`. */
  use(listenerOf: (scope: Scope) => OutboxListener): void
  /** Opens every file and finishes what a crash left half moved. Types nothing. */
  load(): Promise<void>
  /** From here on entries go out. */
  start(): Promise<void>
  of(scope: Scope): Promise<Outbox>
  /** the outbox if it is open: without waiting, for the request path */
  peek(scope: Scope): Outbox | null
  all(): readonly Outbox[]
  /** the outbox that holds this entry */
  holding(entryId: string): Outbox | null
  /**
   * Rebinding; repeating it after a crash at any point ends in the same. @throws OnwardError `store-failed`, and goes
   * on trying
   */
  rebind(from: Scope, to: Scope): Promise<void>
  /** the scope's terminal is gone for good and has no heir: its file goes */
  forget(scope: Scope): Promise<void>
  pauseAll(): Promise<void>
  resumeAll(): Promise<void>
  pausedAll(): boolean
  /** Types nothing more and still takes what comes; resolves when what is being typed is done. */
  rest(): Promise<void>
  /** nothing more is typed before the next start of the engine */
  resting(): boolean
  close(): Promise<void>
  dispose(): void
}

const automationSpec = {
  path: 'automation.json',
  version: 1,
  parse: (value: unknown) => z.object({ paused: z.boolean() }).parse(value),
  // A person may have paused everything, so nothing is typed until they resume.
  whenCorrupt: { paused: true },
}

interface Outgoing {
  deps: OutboxesDeps
  opened: Map<Scope, Outbox>
  queue: Serial
  retries: ReturnType<typeof disposables>
  listenerOf: ((scope: Scope) => OutboxListener) | null
  automation: Document<{ paused: boolean }> | null
  paused: boolean
  started: boolean
}

export function createOutboxes(deps: OutboxesDeps): Outboxes {
  const { store } = deps
  const opened = new Map<Scope, Outbox>()
  const queue = serial()
  const retries = disposables()
  const state = { listenerOf: null, automation: null, paused: false, started: false }
  const all: Outgoing = { deps, opened, queue, retries, ...state }
  let resting = false

  return {
    use(of) {
      all.listenerOf = of
    },
    load: () =>
      queue(async () => {
        all.automation = await store.document(automationSpec)
        all.paused = all.automation.get()?.paused ?? false
        for (const name of await store.list(OUTBOX_FOLDER)) {
          if (!name.endsWith('.json')) continue
          const path = `${OUTBOX_FOLDER}/${name}`
          try {
            await loadFile(all, path)
          } catch (error) {
            // A file of a newer Onward, say: its terminal gets no followups, all others do.
            deps.record({}, { type: 'store-problem', file: path, ...problemOf(error, 'store-failed') })
          }
        }
      }),
    start: () =>
      queue(async () => {
        all.started = true
        for (const outbox of opened.values()) await outbox.start()
      }),
    of: (scope) => {
      const there = opened.get(scope)
      return there ? Promise.resolve(there) : queue(() => open(all, scope))
    },
    peek: (scope) => opened.get(scope) ?? null,
    all: () => Array.from(opened.values()),
    holding: (entryId) => Array.from(opened.values()).find((o) => o.list().some((e) => e.id === entryId)) ?? null,
    rebind: (from, to) => rebind(all, from, to),
    forget: (scope) =>
      queue(async () => {
        const outbox = opened.get(scope)
        if (!outbox) return
        await outbox.remove()
        outbox.dispose()
        opened.delete(scope)
      }),
    pauseAll: () => setPaused(all, true),
    resumeAll: () => setPaused(all, false),
    pausedAll: () => all.paused,
    resting: () => resting,
    async rest() {
      resting = true
      all.started = false
      await Promise.allSettled(Array.from(opened.values(), (o) => o.rest()))
    },
    async close() {
      retries.dispose()
      await Promise.allSettled(Array.from(opened.values(), (o) => o.close()))
      await store.flush()
    },
    dispose() {
      retries.dispose()
      for (const outbox of opened.values()) outbox.dispose()
      opened.clear()
    },
  }
}

async function make(all: Outgoing, scope: Scope): Promise<Outbox> {
  const { deps } = all
  if (!all.listenerOf) throw new OnwardError('not-started', 'The outboxes were opened before anybody listened to them.')
  const outbox = await createOutbox({
    ...deps,
    scope,
    listener: all.listenerOf(scope),
    pausedGlobally: () => all.paused,
    terminalId: () => deps.terminalOf(scope),
    client: () => deps.clientOf(scope),
    inFront: (sessionId) => deps.inFront?.(scope, sessionId),
  })
  all.opened.set(scope, outbox)
  if (all.started) await outbox.start()
  return outbox
}

/** Inside the queue. */
async function open(all: Outgoing, scope: Scope): Promise<Outbox> {
  const there = all.opened.get(scope)
  if (there) return there
  await finishMove(all, scope)
  return make(all, scope)
}

/** Inside the queue: finishes moves that an earlier run wrote down and did not complete. */
async function finishMove(all: Outgoing, scope: Scope): Promise<boolean> {
  const to = (await all.deps.store.document(outboxSpec(scope))).get()?.movedTo ?? null
  if (to === null) return false
  await move(all, await make(all, scope), to)
  return true
}

async function loadFile(all: Outgoing, path: string) {
  const document = await all.deps.store.document(outboxSpecAt(path))
  const state = document.get()
  if (!state) return
  const empty =
    state.movedTo === null &&
    state.paused === null &&
    state.conversation === null &&
    prune(state.entries, all.deps.clock.now(), all.deps.settings()).length === 0
  if (empty) return document.remove()
  try {
    if (!(await finishMove(all, state.scope))) await open(all, state.scope)
  } catch (error) {
    if (state.movedTo !== null) rebindLater(all, state.scope, state.movedTo)
    throw error
  }
}

/** Inside the queue. Recorded on disk first, then copied, then deleted: each step may be repeated. */
async function move(all: Outgoing, from: Outbox, to: Scope) {
  const moved = await from.leave(to)
  await (await open(all, to)).adopt(moved)
  await from.remove()
  from.dispose()
  all.opened.delete(from.scope)
}

async function rebind(all: Outgoing, from: Scope, to: Scope): Promise<void> {
  if (from === to) return
  try {
    await all.queue(async () => {
      if (!all.opened.has(from) && (await all.deps.store.document(outboxSpec(from))).get() === null) return
      await move(all, await open(all, from), to)
    })
  } catch (error) {
    rebindLater(all, from, to)
    throw error
  }
}

/**
 * A half-done move is on disk and has to be finished, even when the caller gives up. The store reports why it failed.
 */
function rebindLater(all: Outgoing, from: Scope, to: Scope) {
  all.retries.add(
    all.deps.clock.after(all.deps.settings().writeAgainMs, () => {
      rebind(all, from, to).catch(() => undefined)
    }),
  )
}

async function setPaused(all: Outgoing, value: boolean) {
  all.paused = value
  for (const outbox of all.opened.values()) {
    if (value) outbox.stopTyping()
    outbox.check()
  }
  all.automation ??= await all.deps.store.document(automationSpec)
  await all.automation.set({ paused: value })
}
