import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Document, Store } from '../../store/types.ts'
import { keep, type Kept } from '../../store/kept.ts'
import type { Inside } from '../../terminals/outbox/listener.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { serial } from '../../base/serial.ts'
import { emptyScope, type ScopeState } from './state.ts'
import { fromFields, isStickyFile, stickySpec, stickySpecAt, toFields, type StickyFields } from './sticky-state.ts'

/** Where the decisions of one scope are made: its state, one after the other. */
export interface Desk {
  readonly scope: Scope
  readonly kept: Kept<ScopeState>
  /** Behind the scope's outbox writer; in reenter mode, where there is none, `inside` is null. */
  exclusive<T>(work: (inside: Inside | null) => Promise<T>): Promise<T>
}

export interface Desks {
  of(scope: Scope): Promise<Desk>
  /** without waiting; null when the scope has never had a state in this run */
  peek(scope: Scope): Desk | null
  all(): readonly Desk[]
  /** opens every file. @returns what could not be read */
  load(): Promise<readonly { file: string; error: unknown }[]>
  remove(scope: Scope): Promise<void>
  dispose(): void
}

export interface DesksDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  retryMs: number
}

export function createDesks({ store, outboxes, clock, retryMs }: DesksDeps): Desks {
  const opening = new Map<Scope, Promise<Desk>>()
  const opened = new Map<Scope, { desk: Desk; document: Document<StickyFields> }>()

  const open = async (scope: Scope): Promise<Desk> => {
    const document = await store.document(stickySpec(scope))
    const fields = document.get()
    const alone = serial()
    const exclusive: Desk['exclusive'] = async (work) =>
      scope.startsWith('session:') ? alone(() => work(null)) : (await outboxes.of(scope)).exclusive(work)
    const kept = keep(fields ? fromFields(fields) : emptyScope(scope), (state) => document.set(toFields(state)), {
      clock,
      retryMs: () => retryMs,
      queue: (work) => exclusive(work),
    })
    const desk: Desk = { scope, kept, exclusive }
    opened.set(scope, { desk, document })
    return desk
  }
  const of = (scope: Scope): Promise<Desk> => {
    const there = opening.get(scope) ?? open(scope)
    opening.set(scope, there)
    there.catch(() => opening.delete(scope))
    return there
  }
  return {
    of,
    peek: (scope) => opened.get(scope)?.desk ?? null,
    all: () => Array.from(opened.values(), ({ desk }) => desk),
    async load() {
      const unread: { file: string; error: unknown }[] = []
      for (const file of await store.list('')) {
        if (!isStickyFile(file)) continue
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
      there.desk.kept.dispose()
      opened.delete(scope)
      opening.delete(scope)
    },
    dispose() {
      for (const { desk } of opened.values()) desk.kept.dispose()
      opened.clear()
      opening.clear()
    },
  }
}
