export type Side = 'top' | 'right'

interface Box {
  left: number
  top: number
  width: number
  height: number
}
type Size = Pick<Box, 'width' | 'height'>

/** between a tip and what it speaks of */
const gap = 6
/** between a tip and the edge of the window */
const margin = 8

/** Beside `at` where there is room for it, else on the other side, and always within the window. */
export function placeOfTip(at: Box, tip: Size, side: Side, window: Size): { left: number; top: number } {
  const within = (from: number, length: number, room: number) =>
    Math.round(Math.max(margin, Math.min(from, room - length - margin)))
  if (side === 'right') {
    const right = at.left + at.width + gap
    const fits = right + tip.width + margin <= window.width
    return {
      left: fits ? right : Math.round(at.left - gap - tip.width),
      top: within(at.top + (at.height - tip.height) / 2, tip.height, window.height),
    }
  }
  const above = at.top - gap - tip.height
  return {
    left: within(at.left + (at.width - tip.width) / 2, tip.width, window.width),
    top: Math.round(above >= margin ? above : at.top + at.height + gap),
  }
}
