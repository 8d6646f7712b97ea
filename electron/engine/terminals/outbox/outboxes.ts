import { z } from 'zod'
import type { ClientKind, Scope } from '../../../../shared/words.ts'
import { disposables } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Document } from '../../store/types.ts'
import type { OutboxListener } from './listener.ts'
import { createOutbox, type Outbox, type OutboxDeps } from './outbox.ts'
import { OUTBOX_FOLDER, outboxSpec, outboxSpecAt, prune } from './outbox-file.ts'
import { serial } from '../../base/serial.ts'

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

export function createOutboxes(deps: OutboxesDeps): Outboxes {
  const { store, clock } = deps
  const opened = new Map<Scope, Outbox>()
  const queue = serial()
  let listenerOf: ((scope: Scope) => OutboxListener) | null = null
  let automation: Document<{ paused: boolean }> | null = null
  const retries = disposables()
  let paused = false
  let started = false
  let resting = false

  const make = async (scope: Scope): Promise<Outbox> => {
    if (!listenerOf) throw new OnwardError('not-started', 'The outboxes were opened before anybody listened to them.')
    const outbox = await createOutbox({
      ...deps,
      scope,
      listener: listenerOf(scope),
      pausedGlobally: () => paused,
      terminalId: () => deps.terminalOf(scope),
      client: () => deps.clientOf(scope),
      inFront: (sessionId) => deps.inFront?.(scope, sessionId),
    })
    opened.set(scope, outbox)
    if (started) await outbox.start()
    return outbox
  }
  /** Inside the queue. */
  const open = async (scope: Scope): Promise<Outbox> => {
    const there = opened.get(scope)
    if (there) return there
    await finishMove(scope)
    return make(scope)
  }
  /** Inside the queue: finishes moves that an earlier run wrote down and did not complete. */
  const finishMove = async (scope: Scope): Promise<boolean> => {
    const to = (await store.document(outboxSpec(scope))).get()?.movedTo ?? null
    if (to === null) return false
    await move(await make(scope), to)
    return true
  }
  const loadFile = async (path: string) => {
    const document = await store.document(outboxSpecAt(path))
    const state = document.get()
    if (!state) return
    const empty =
      state.movedTo === null &&
      state.paused === null &&
      state.conversation === null &&
      prune(state.entries, clock.now(), deps.settings()).length === 0
    if (empty) return document.remove()
    try {
      if (!(await finishMove(state.scope))) await open(state.scope)
    } catch (error) {
      if (state.movedTo !== null) rebindLater(state.scope, state.movedTo)
      throw error
    }
  }
  /** Inside the queue. Recorded on disk first, then copied, then deleted: each step may be repeated. */
  const move = async (from: Outbox, to: Scope) => {
    const moved = await from.leave(to)
    await (await open(to)).adopt(moved)
    await from.remove()
    from.dispose()
    opened.delete(from.scope)
  }
  const rebind = async (from: Scope, to: Scope): Promise<void> => {
    if (from === to) return
    try {
      await queue(async () => {
        if (!opened.has(from) && (await store.document(outboxSpec(from))).get() === null) return
        await move(await open(from), to)
      })
    } catch (error) {
      rebindLater(from, to)
      throw error
    }
  }
  /**
   * A half-done move is on disk and has to be finished, even when the caller gives up. The store reports why it failed.
   */
  const rebindLater = (from: Scope, to: Scope) => {
    retries.add(
      clock.after(deps.settings().writeAgainMs, () => {
        rebind(from, to).catch(() => undefined)
      }),
    )
  }
  const setPaused = async (value: boolean) => {
    paused = value
    for (const outbox of opened.values()) {
      if (value) outbox.stopTyping()
      outbox.check()
    }
    automation ??= await store.document(automationSpec)
    await automation.set({ paused: value })
  }

  return {
    use(of) {
      listenerOf = of
    },
    load: () =>
      queue(async () => {
        automation = await store.document(automationSpec)
        paused = automation.get()?.paused ?? false
        for (const name of await store.list(OUTBOX_FOLDER)) {
          if (!name.endsWith('.json')) continue
          const path = `${OUTBOX_FOLDER}/${name}`
          try {
            await loadFile(path)
          } catch (error) {
            // A file of a newer Onward, say: its terminal gets no followups, all others do.
            deps.record(
              {},
              {
                type: 'store-problem',
                file: path,
                code: OnwardError.isInstance(error) ? error.code : 'store-failed',
                message: messageOf(error),
              },
            )
          }
        }
      }),
    start: () =>
      queue(async () => {
        started = true
        for (const outbox of opened.values()) await outbox.start()
      }),
    of: (scope) => {
      const there = opened.get(scope)
      return there ? Promise.resolve(there) : queue(() => open(scope))
    },
    peek: (scope) => opened.get(scope) ?? null,
    all: () => Array.from(opened.values()),
    holding: (entryId) => Array.from(opened.values()).find((o) => o.list().some((e) => e.id === entryId)) ?? null,
    rebind,
    forget: (scope) =>
      queue(async () => {
        const outbox = opened.get(scope)
        if (!outbox) return
        await outbox.remove()
        outbox.dispose()
        opened.delete(scope)
      }),
    pauseAll: () => setPaused(true),
    resumeAll: () => setPaused(false),
    pausedAll: () => paused,
    resting: () => resting,
    async rest() {
      resting = true
      started = false
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
