import { describe, expect, it } from 'vitest'
import { reloadForNewFiles } from './reload-for-new-files.ts'

function page() {
  const kept = new Map<string, string>()
  let reloads = 0
  return {
    reloads: () => reloads,
    location: { reload: () => void reloads++ },
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
  }
}

describe('a page that misses one of its files', () => {
  it('is loaded again, once: not for ever where the file stays away', () => {
    const win = page()
    expect([reloadForNewFiles(win, 1_000), reloadForNewFiles(win, 5_000)]).toEqual([true, false])
    expect(win.reloads()).toBe(1)
  })

  it('is loaded again at the next version', () => {
    const win = page()
    reloadForNewFiles(win, 1_000)
    expect(reloadForNewFiles(win, 3_600_000)).toBe(true)
  })

  it('is not where nothing can be kept: it could never tell the second time from the first', () => {
    const win = page()
    const forbidden = {
      ...win,
      get sessionStorage(): never {
        throw new DOMException('denied', 'SecurityError')
      },
    }
    expect(reloadForNewFiles(forbidden, 1_000)).toBe(false)
    expect(win.reloads()).toBe(0)
  })
})
