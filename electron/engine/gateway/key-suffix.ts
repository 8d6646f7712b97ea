import type { KeySuffix } from '../sessions/types.ts'

const marks = { tmuxSessionId: '::rcc-session:', daemonId: '::rcc-sessiond:' } as const

export interface SplitKey {
  key: string
  suffix: KeySuffix | null
}

/** Takes `::rcc-session:<id>` and `::rcc-sessiond:<id>`, in either order, off an API key. An empty id is none. */
export function splitKey(text: string): SplitKey {
  const start = text.indexOf('::rcc-session')
  if (start < 0) return { key: text, suffix: null }
  const suffix: KeySuffix = { tmuxSessionId: null, daemonId: null }
  let rest = text.slice(start)
  while (rest !== '') {
    const field = rest.startsWith(marks.daemonId)
      ? 'daemonId'
      : rest.startsWith(marks.tmuxSessionId)
        ? 'tmuxSessionId'
        : null
    if (field === null) return { key: text, suffix: null }
    const value = rest.slice(marks[field].length)
    const next = value.indexOf('::rcc-session')
    suffix[field] = (next < 0 ? value : value.slice(0, next)) || null
    rest = next < 0 ? '' : value.slice(next)
  }
  const named = suffix.tmuxSessionId !== null || suffix.daemonId !== null
  return { key: text.slice(0, start), suffix: named ? suffix : null }
}
