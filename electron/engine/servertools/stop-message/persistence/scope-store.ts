import type { Scope } from '../../../../../shared/words.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Document, Store } from '../../../store/types.ts'
import { keep, type Kept } from '../../../store/kept.ts'
import type { OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { Outboxes } from '../../../terminals/outbox/outboxes.ts'
import { serial } from '../../../base/work.ts'
import { emptyScope, type ScopeState } from '../reducer/state.ts'
import { emptyMemory, forgetStop, type StopMemory } from '../stop-memory.ts'
import { fromFields, isStickyFile, stickySpec, stickySpecAt, toFields, type StickyFields } from './sticky-state.ts'

/** A scope's state, and the place where its decisions are made, one after the other. */
export interface ScopeEntry {
  readonly scope: Scope
  readonly kept: Kept<ScopeState>
  readonly memory: StopMemory
  /** After the scope's outbox writer; in reenter mode, where there is none, the transaction is null. */
  exclusive<T>(work: (transaction: OutboxTransaction | null) => Promise<T>): Promise<T>
}

export interface ScopeStore {
  of(scope: Scope): Promise<ScopeEntry>
  /** The entry of a scope, for work that nothing of the same scope comes between. */
  exclusive<T>(
    scope: Scope,
    work: (scopeEntry: ScopeEntry, transaction: OutboxTransaction | null) => Promise<T>,
  ): Promise<T>
  /** without waiting; null when the scope has never had a state in this run */
  peek(scope: Scope): ScopeEntry | null
  all(): readonly ScopeEntry[]
  /** opens every file. @returns the files that could not be read */
  load(): Promise<readonly { file: string; error: unknown }[]>
  remove(scope: Scope): Promise<void>
  dispose(): void
}

export interface ScopeStoreDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  retryMs: number
}

export function createScopeStore({ store, outboxes, clock, retryMs }: ScopeStoreDeps): ScopeStore {
  const opening = new Map<Scope, Promise<ScopeEntry>>()
  const opened = new Map<Scope, { scopeEntry: ScopeEntry; document: Document<StickyFields> }>()

  const open = async (scope: Scope): Promise<ScopeEntry> => {
    const document = await store.document(stickySpec(scope))
    const fields = document.get()
    const alone = serial()
    const exclusive: ScopeEntry['exclusive'] = async (work) =>
      scope.startsWith('session:') ? alone(() => work(null)) : (await outboxes.of(scope)).exclusive(work)
    const kept = keep(fields ? fromFields(fields) : emptyScope(scope), (state) => document.set(toFields(state)), {
      clock,
      retryMs: () => retryMs,
      queue: (work) => exclusive(work),
    })
    const scopeEntry: ScopeEntry = { scope, kept, memory: emptyMemory(), exclusive }
    opened.set(scope, { scopeEntry, document })
    return scopeEntry
  }
  const of = (scope: Scope): Promise<ScopeEntry> => {
    const there = opening.get(scope) ?? open(scope)
    opening.set(scope, there)
    there.catch(() => opening.delete(scope))
    return there
  }
  return {
    of,
    async exclusive(scope, work) {
      const scopeEntry = await of(scope)
      return scopeEntry.exclusive((transaction) => work(scopeEntry, transaction))
    },
    peek: (scope) => opened.get(scope)?.scopeEntry ?? null,
    all: () => Array.from(opened.values(), ({ scopeEntry }) => scopeEntry),
    async load() {
      const unread: { file: string; error: unknown }[] = []
      for (const file of (await store.list('', 'any')).filter(isStickyFile).sort()) {
        try {
          const fields = (await store.document(stickySpecAt(file))).get()
          if (fields) await of(fields.scope)
        } catch (error) {
          unread.push({ file, error })
        }
      }
      return unread
    },
    async remove(scope) {
      const there = opened.get(scope)
      if (!there) return
      await there.document.remove()
      there.scopeEntry.kept.dispose()
      forgetStop(there.scopeEntry.memory)
      opened.delete(scope)
      opening.delete(scope)
    },
    dispose() {
      for (const { scopeEntry } of opened.values()) {
        scopeEntry.kept.dispose()
        forgetStop(scopeEntry.memory)
      }
      opened.clear()
      opening.clear()
    },
  }
}
