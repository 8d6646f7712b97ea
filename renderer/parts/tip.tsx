import {
  cloneElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { FocusEvent, HTMLAttributes, PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { placeOfTip, type Side } from './tip-place.ts'

const waitMs = 400

interface TipProps {
  /** what it says */ label: ReactNode
  side?: Side
  /** one element, which spreads what it is given */ children: ReactElement<HTMLAttributes<HTMLElement>>
}

/**
 * A word about what the pointer or the keyboard is at. Our own: what Mantine's needs is a seventh of what the first
 * paint would wait for.
 */
export function Tip({ label, side = 'top', children }: TipProps) {
  const id = useId()
  const [at, setAt] = useState<HTMLElement | null>(null)
  /** what the pointer came to, and after a moment is still at */
  const [over, setOver] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!over) return undefined
    const timer = setTimeout(() => setAt(over), waitMs)
    return () => clearTimeout(timer)
  }, [over])
  const hide = () => {
    setOver(null)
    setAt(null)
  }
  const { props } = children
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': at ? id : props['aria-describedby'],
        onPointerEnter(event: PointerEvent<HTMLElement>) {
          props.onPointerEnter?.(event)
          if (event.pointerType === 'mouse') setOver(event.currentTarget)
        },
        onPointerLeave(event: PointerEvent<HTMLElement>) {
          props.onPointerLeave?.(event)
          hide()
        },
        onPointerDown(event: PointerEvent<HTMLElement>) {
          props.onPointerDown?.(event)
          hide()
        },
        onFocus(event: FocusEvent<HTMLElement>) {
          props.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) setAt(event.currentTarget)
        },
        onBlur(event: FocusEvent<HTMLElement>) {
          props.onBlur?.(event)
          hide()
        },
      })}
      {at &&
        createPortal(
          <Shown id={id} at={at} side={side} onEnd={hide}>
            {label}
          </Shown>,
          document.body,
        )}
    </>
  )
}

interface ShownProps {
  id: string
  at: HTMLElement
  side: Side
  onEnd: () => void
  children: ReactNode
}

function Shown({ id, at, side, onEnd, children }: ShownProps) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!tip.current) return
    const size = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = placeOfTip(at.getBoundingClientRect(), tip.current.getBoundingClientRect(), side, size)
    tip.current.style.translate = `${left}px ${top}px`
  })
  useEffect(() => {
    // Escape takes it away, and what is scrolled away from below it is not what it speaks of (WCAG 1.4.13).
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onEnd()
    window.addEventListener('keydown', onKey)
    window.addEventListener('scroll', onEnd, true)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('scroll', onEnd, true)
    }
  })
  return (
    <div ref={tip} id={id} className="tip" role="tooltip">
      {children}
    </div>
  )
}
