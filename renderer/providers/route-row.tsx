import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { useApp, useWords } from '../app-context.ts'
import type { RouteCategory } from '../../shared/config/schema.ts'
import type { ProviderView, RoutePool } from '../../shared/routing.ts'
import { AddModel } from './add-model.tsx'
import { rests, sayOf, shapeOf } from './health.ts'
import { Pill } from './pill.tsx'
import { added, keysOfPool, modelOf, moved, providerOf, weighted, without, dropIndex, type Box } from './pool.ts'
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

/** Less is a click with an unsteady hand. */
const slackPx = 4

interface Drag {
  id: string
  x: number
  y: number
  to: number
}
interface Grab {
  id: string
  startX: number
  startY: number
  others: readonly Box[]
  started: boolean
}

/**
 * Drags one pill among the others of its list. Nothing moves but the pill itself until it is dropped; Esc leaves all as
 * it was.
 */
function useDrag(list: RefObject<HTMLElement | null>, onDrop: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const stop = useRef<() => void>(() => undefined)
  useEffect(() => () => stop.current(), [])
  const grab = (id: string, event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    const others = [...(list.current?.querySelectorAll<HTMLElement>('[data-pill]') ?? [])]
      .filter((el) => el.dataset.pill !== id)
      .map((el) => el.getBoundingClientRect())
    const held: Grab = { id, startX: event.clientX, startY: event.clientY, others, started: false }
    let last: Drag | null = null
    const move = (to: globalThis.PointerEvent) => {
      const [x, y] = [to.clientX - held.startX, to.clientY - held.startY]
      if (!held.started && Math.hypot(x, y) < slackPx) return
      held.started = true
      last = { id, x, y, to: dropIndex(held.others, to.clientX, to.clientY) }
      setDrag(last)
    }
    const end = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', end)
      window.removeEventListener('keydown', escape, true)
      stop.current = () => undefined
      setDrag(null)
    }
    const up = () => {
      end()
      if (!last) return
      // A drop is not a click on the pill.
      const swallow = (click: MouseEvent) => {
        click.preventDefault()
        click.stopPropagation()
      }
      window.addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0)
      onDrop(last.id, last.to)
    }
    const escape = (key: KeyboardEvent) => {
      if (key.key === 'Escape') {
        key.stopPropagation()
        end()
      }
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', end)
    window.addEventListener('keydown', escape, true)
    stop.current = end
  }
  return { drag, grab }
}
