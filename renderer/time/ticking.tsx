import { useEffect, useRef } from 'react'
import { useApp } from '../app-context.ts'

/**
 * A text that depends on the time. Ticks change one text node and nothing else: no render, no layout of its neighbours
 * beyond its own width. Not announced by screen readers; the exact instant stands in `title`.
 */
export function Ticking({
  text,
  className,
  title,
}: {
  text: (now: number) => string
  className?: string
  title?: string
}) {
  const { clock } = useApp()
  const node = useRef<HTMLSpanElement>(null)
  const first = text(clock.now())
  useEffect(() => {
    const show = () => {
      const target = node.current?.firstChild
      const next = text(clock.now())
      if (target && target.nodeValue !== next) target.nodeValue = next
    }
    show()
    return clock.subscribe(show)
  })
  return (
    <span ref={node} className={className} title={title} aria-live="off">
      {first}
    </span>
  )
}
