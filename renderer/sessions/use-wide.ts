import { useSyncExternalStore } from 'react'

const wide = '(min-width: 1100px)'

/** True where list and detail stand side by side (narrow.css has the same limit). */
export function useWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(wide)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(wide).matches,
  )
}
