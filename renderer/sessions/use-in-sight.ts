import { useEffect, useRef, type RefObject } from 'react'
import type { Virtualizer } from '@tanstack/react-virtual'

/**
 * Keeps a row of a list in sight when it becomes another, or moves. Heights are known, so nothing is measured: the
 * virtualizer's own way lays out the page up to three times for it, before and after each scroll.
 *
 * @returns for the scrolling element
 */
export function useInSight(
  at: number,
  virtual: Virtualizer<HTMLDivElement, HTMLElement>,
  scroller: RefObject<HTMLDivElement | null>,
): { onScroll(): void } {
  /** where it was scrolled to, until the virtualizer knows */
  const scrolledTo = useRef<number | null>(null)
  useEffect(() => {
    const [row, box] = [virtual.measurementsCache[at], scroller.current]
    if (!row || !box) return
    const seen = virtual.scrollRect?.height ?? box.clientHeight
    const from = scrolledTo.current ?? virtual.scrollOffset ?? 0
    const to = row.start < from ? row.start : Math.max(from, row.end + paddingTop - seen)
    if (to === from) return
    box.scrollTop = at === 0 ? 0 : to
    scrolledTo.current = box.scrollTop
  }, [at, virtual, scroller])
  return {
    onScroll() {
      scrolledTo.current = null
    },
  }
}

/** of the list, above its first row (list.css) */
const paddingTop = 4
