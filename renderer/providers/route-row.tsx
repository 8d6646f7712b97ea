import { useEffect, useRef, useState } from 'react'
import { useApp, useWords } from '../app-context.ts'
import type { RouteCategory } from '../../shared/config/schema.ts'
import type { ProviderView, RoutePool } from '../../shared/routing.ts'
import { AddModel } from './add-model.tsx'
import { rests, sayOf, shapeOf } from './health.ts'
import { Pill } from './pill.tsx'
import { added, keysOfPool, modelOf, moved, providerOf, weighted, without } from './pool.ts'
import { useDrag } from './use-drag.ts'
import { targetText } from '../../shared/target-text.ts'

interface RouteRowProps {
  category: RouteCategory
  about: string
  pool: RoutePool
  providers: readonly ProviderView[]
  /** the person just asked for this route: it waits for its first model */
  fresh: boolean
  onEdit: (pool: RoutePool, said: string) => void
}

/** One route: what it is for, and its models in the order they are tried. */
export function RouteRow({ category, about, pool, providers, fresh, onEdit }: RouteRowProps) {
  const { w } = useWords()
  const t = w.providers
  const list = useRef<HTMLUListElement>(null)
  const row = useRef<HTMLDivElement>(null)
  const [adding, setAdding] = useState(fresh)
  /** where the keyboard goes once the edit is drawn: a pill, or `null` the + */
  const focus = useRef<string | null | undefined>(undefined)
  const keys = keysOfPool(pool)
  const restOf = useRest(providers)
  useEffect(() => {
    if (focus.current === undefined) return
    const pill =
      focus.current === null
        ? null
        : [...(list.current?.querySelectorAll<HTMLElement>('[data-pill]') ?? [])].find(
            (el) => el.dataset.pill === focus.current,
          )
    const target = pill?.querySelector('button') ?? row.current?.querySelector<HTMLElement>('[data-add]')
    focus.current = undefined
    target?.focus()
  })
  const move = (from: number, to: number) => {
    const at = Math.min(Math.max(0, to), pool.length - 1)
    const entry = pool[from]
    if (at === from || !entry) return
    const next = moved(pool, from, at)
    focus.current = keysOfPool(next)[at] ?? null
    onEdit(next, t.movedTo(targetText(entry.target), at + 1, pool.length))
  }
  const remove = (at: number) => {
    const next = without(pool, at)
    focus.current = keysOfPool(next)[Math.min(at, next.length - 1)] ?? null
    onEdit(next, t.removedFrom(targetText(pool[at]?.target ?? ''), category))
  }
  const weigh = (at: number, weight: number | null) => {
    const next = weighted(pool, at, weight)
    onEdit(next, t.pill(targetText(pool[at]?.target ?? ''), at + 1, pool.length, weight))
  }
  const { drag, grab } = useDrag(list, (id, to) => move(keys.indexOf(id), to))
  // The mark stands before the pill that will follow, or after the last of the others.
  const others = keys.filter((key) => key !== drag?.id)
  const dropOf = (key: string) =>
    drag === null || key === drag.id
      ? null
      : others[drag.to] === key
        ? 'before'
        : drag.to >= others.length && key === others.at(-1)
          ? 'after'
          : null
  const hintId = `hint-${category}`
  return (
    <div className="r-row" ref={row}>
      <div>
        <b>{category}</b>
        <p className="meta">{about}</p>
      </div>
      <div className="pills">
        {pool.length === 0 ? (
          <span className="meta">{t.emptyRoute}</span>
        ) : (
          <ul ref={list} className="pills" aria-label={t.inOrder(category)}>
            {pool.map((entry, at) => {
              const key = keys[at] ?? entry.target
              return (
                <Pill
                  key={key}
                  id={key}
                  entry={entry}
                  at={at}
                  all={pool.length}
                  resting={restOf(entry.target)}
                  hintId={hintId}
                  dragged={drag?.id === key ? drag : null}
                  drop={dropOf(key)}
                  onGrab={(event) => grab(key, event)}
                  edits={{ move: (to) => move(at, to), weigh: (weight) => weigh(at, weight), remove: () => remove(at) }}
                />
              )
            })}
          </ul>
        )}
        <AddModel
          route={category}
          pool={pool}
          providers={providers}
          opened={adding}
          onOpen={setAdding}
          onAdd={(target) => {
            focus.current = target
            onEdit(added(pool, target), t.addedTo(targetText(target), category))
          }}
        />
        <span id={hintId} hidden>
          {t.pillHint}
        </span>
      </div>
    </div>
  )
}

/** Why a target is passed over for now, as its provider's row says it. */
function useRest(providers: readonly ProviderView[]) {
  const { clock } = useApp()
  const words = useWords()
  return (target: string) => {
    const provider = providers.find(({ id }) => id === providerOf(target))
    if (!provider) return { shape: 'failed' as const, say: words.w.providers.unknownProvider }
    return rests(provider, modelOf(target))
      ? { shape: shapeOf(provider), say: sayOf(provider, words, clock.now()) }
      : null
  }
}
