import { describe, expect, it } from 'vitest'
import { reloadForNewFiles } from './reload-for-new-files.ts'

function page() {
  const kept = new Map<string, string>()
  let reloads = 0
  return {
    reloads: () => reloads,
    fetch: async () => ({ ok: true }),
    location: { pathname: '/dashboard/', reload: () => void reloads++ },
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
  }
}

describe('a page that misses one of its files', () => {
  it('is loaded again, once: not for ever where the file stays away', async () => {
    const win = page()
    expect([await reloadForNewFiles(win, 1_000), await reloadForNewFiles(win, 5_000)]).toEqual([true, false])
    expect(win.reloads()).toBe(1)
  })

  it('is loaded again at the next version', async () => {
    const win = page()
    await reloadForNewFiles(win, 1_000)
    expect(await reloadForNewFiles(win, 3_600_000)).toBe(true)
  })

  it.each([
    ['takes no connections any more', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['has no page for it', async () => ({ ok: false })],
  ])('is not while its engine %s, and is afterwards', async (_what, fetch) => {
    const win = page()
    expect(await reloadForNewFiles({ ...win, fetch }, 1_000)).toBe(false)
    expect(win.reloads()).toBe(0)
    expect(await reloadForNewFiles(win, 2_000)).toBe(true)
  })

  it('is not where nothing can be kept: it could never tell the second time from the first', async () => {
    const win = page()
    const forbidden = {
      ...win,
      get sessionStorage(): never {
        throw new DOMException('denied', 'SecurityError')
      },
    }
    expect(await reloadForNewFiles(forbidden, 1_000)).toBe(false)
    expect(win.reloads()).toBe(0)
  })
})
