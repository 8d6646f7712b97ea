import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { dropIndex, type Box } from './pool.ts'

/** Less is a click with an unsteady hand. */
const slackPx = 4

export interface Drag {
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
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (id: string, to: number) => void) {
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
