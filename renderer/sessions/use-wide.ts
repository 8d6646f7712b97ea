import { useSyncExternalStore } from 'react'

const query = (): MediaQueryList => window.matchMedia('(min-width: 1100px)')

/** True where list and detail stand side by side (narrow.css has the same limit). */
export const isWide = (): boolean => query().matches

export function useWide(): boolean {
  return useSyncExternalStore((onChange) => {
    const media = query()
    media.addEventListener('change', onChange)
    return () => media.removeEventListener('change', onChange)
  }, isWide)
}
