/** Where the window was. Pure. */
import { z } from 'zod'

export const windowState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(200),
  height: z.number().int().min(150),
  maximized: z.boolean(),
})
export type WindowState = z.infer<typeof windowState>
export type Area = Pick<WindowState, 'x' | 'y' | 'width' | 'height'>

export const usualSize = { width: 1280, height: 840 } as const
/** Narrower than the dashboard is comfortable, still usable. */
export const smallestSize = { width: 640, height: 480 } as const
/** So much of the upper edge must be on a screen for a hand to take hold of the window. */
const graspable = { width: 120, height: 40 } as const

/**
 * Size and place for a new window: as it was, if a screen still shows it there; else its size, where the system puts
 * it.
 * @param workAreas of every screen there is now, the primary one first
 */
export function placeWindow(
  saved: WindowState | null,
  workAreas: readonly Area[],
): Partial<Area> & { width: number; height: number } {
  const primary = workAreas[0]
  const wanted = saved ?? usualSize
  const screen = (saved && workAreas.find((area) => isGraspable(saved, area))) ?? null
  const room = screen ?? primary
  const size = {
    width: Math.max(smallestSize.width, Math.min(wanted.width, room?.width ?? wanted.width)),
    height: Math.max(smallestSize.height, Math.min(wanted.height, room?.height ?? wanted.height)),
  }
  return saved && screen ? { x: saved.x, y: saved.y, ...size } : size
}

function isGraspable(window: Area, screen: Area): boolean {
  const shown = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return shown >= graspable.width && window.y >= screen.y && window.y + graspable.height <= screen.y + screen.height
}
