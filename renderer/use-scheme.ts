import { useSyncExternalStore } from 'react'

/** The theme in force: a person's choice, or what the system asks for right now. */
export function useScheme(chosen: 'light' | 'dark' | 'auto'): 'light' | 'dark' {
  const dark = useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia('(prefers-color-scheme: dark)')
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia('(prefers-color-scheme: dark)').matches,
  )
  return chosen === 'auto' ? (dark ? 'dark' : 'light') : chosen
}
