import { useSyncExternalStore } from 'react'

let media: MediaQueryList | null = null
/** One for all who ask: every drawing of the list does, and a new one makes the browser lay out the page first. */
const query = (): MediaQueryList => (media ??= window.matchMedia('(min-width: 1100px)'))

/** True where list and detail stand side by side (narrow.css has the same limit). */
export const isWide = (): boolean => query().matches

/** True on a phone (phone.css has the same limit): what is pressed has to be as large as a thumb. */
export const isPhone = (): boolean => window.matchMedia('(max-width: 719px)').matches

export function useWide(): boolean {
  return useSyncExternalStore((onChange) => {
    const wide = query()
    wide.addEventListener('change', onChange)
    return () => wide.removeEventListener('change', onChange)
  }, isWide)
}
