import { describe, expect, it } from 'vitest'
import { pageCredential, type Exchange } from '../../../shared/control/proof.ts'
import { systemRandom } from '../base/ids.ts'
import { createPageAccess, pageOrigin, type KeptTabs } from './page-access.ts'

const split = (link: string) => {
  const [id = '', key = ''] = link.split('.')
  return { id, key }
}
const exchangeOf = (id: string): Exchange => ({ path: '/control', id, callerNonce: 'c', engineNonce: 'e' })

/** A home’s file, or one of its own. */
const fileOf = (kept: { text: string | null } = { text: null }): KeptTabs => ({
  read: () => kept.text,
  write: (text) => void (kept.text = text),
  failed: (error) => {
    throw error
  },
})
const accessAt = (at = 'http://127.0.0.1:5520', file = fileOf()) => createPageAccess(systemRandom(), at, file)

describe('the access of a dashboard page', () => {
  it('is a link’s once, and what it is traded for afterwards', async () => {
    const access = accessAt()
    const { id, key } = split(access.newLink())
    expect(access.keys.keyOf(id)).toBe(key)
    await access.keys.admitted?.(exchangeOf(id))
    expect(access.keys.keyOf(id)).toBeNull()
    const page = await pageCredential(key, exchangeOf(id))
    expect(access.keys.keyOf(page.id)).toBe(page.key)
    await access.keys.admitted?.(exchangeOf(page.id))
    expect(access.keys.keyOf(page.id)).toBe(page.key)
  })

  it('is used up before the page hears of it: two at once are one', async () => {
    const access = accessAt()
    const { id } = split(access.newLink())
    const trading = access.keys.admitted?.(exchangeOf(id))
    expect(access.keys.keyOf(id)).toBeNull()
    await trading
  })

  it('is a link’s again where the page left before it said a word, and only then', async () => {
    const file = { text: null }
    const access = accessAt(undefined, fileOf(file))
    const { id, key } = split(access.newLink())
    const takeBack = await access.keys.admitted?.(exchangeOf(id))
    takeBack?.()
    expect(access.keys.keyOf(id)).toBe(key)
    for (const of of ['page', 'tab'] as const) {
      const made = await pageCredential(key, exchangeOf(id), of)
      expect(access.keys.keyOf(made.id)).toBeNull()
      expect(accessAt(undefined, fileOf(file)).keys.keyOf(made.id)).toBeNull()
    }
    const again = await access.keys.admitted?.(exchangeOf(id))
    access.endAll()
    again?.()
    expect(access.keys.keyOf(id)).toBeNull()
  })

  it('ends for all at once, also for one that is being traded', async () => {
    const access = accessAt()
    const [used, unused, trading] = [access.newLink(), access.newLink(), access.newLink()].map(split)
    await access.keys.admitted?.(exchangeOf(used?.id ?? ''))
    const traded = access.keys.admitted?.(exchangeOf(trading?.id ?? ''))
    access.endAll()
    await traded
    for (const link of [used, unused, trading]) {
      const page = await pageCredential(link?.key ?? '', exchangeOf(link?.id ?? ''))
      expect(access.keys.keyOf(link?.id ?? '')).toBeNull()
      expect(access.keys.keyOf(page.id)).toBeNull()
    }
  })

  it('is good for the engine that gave it only', () => {
    const { id } = split(accessAt().newLink())
    expect(accessAt().keys.keyOf(id)).toBeNull()
  })

  describe('after its engine', () => {
    const openTab = async (kept: { text: string | null }) => {
      const access = accessAt(undefined, fileOf(kept))
      const { id, key } = split(access.newLink())
      await access.keys.admitted?.(exchangeOf(id))
      return {
        access,
        page: await pageCredential(key, exchangeOf(id)),
        tab: await pageCredential(key, exchangeOf(id), 'tab'),
      }
    }

    it('is that of the open tab with the next one, and no other’s', async () => {
      const kept = { text: null }
      const { page, tab } = await openTab(kept)
      const next = accessAt(undefined, fileOf(kept))
      expect(next.keys.keyOf(page.id)).toBeNull()
      expect(next.keys.keyOf(tab.id)).toBe(tab.key)
      await next.keys.admitted?.(exchangeOf(tab.id))
      const reload = await pageCredential(tab.key, exchangeOf(tab.id))
      expect(next.keys.keyOf(reload.id)).toBe(reload.key)
      expect(accessAt(undefined, fileOf(kept)).keys.keyOf(tab.id)).toBe(tab.key)
    })

    it.each(['http://127.0.0.1:5521', 'http://[::1]:5520'])('counts for nothing at %s', async (elsewhere) => {
      const kept = { text: null }
      const { tab } = await openTab(kept)
      expect(accessAt(elsewhere, fileOf(kept)).keys.keyOf(tab.id)).toBeNull()
    })

    it('is over when all were signed out', async () => {
      const kept = { text: null }
      const { access, tab } = await openTab(kept)
      access.endAll()
      expect(accessAt(undefined, fileOf(kept)).keys.keyOf(tab.id)).toBeNull()
    })

    it.each(['', 'no JSON', '{"at":5}', '{"at":"http://127.0.0.1:5520","tabs":[["a"]]}'])(
      'is none where the home keeps %j',
      (text) => {
        expect(accessAt(undefined, fileOf({ text })).keys.keyOf('a')).toBeNull()
      },
    )
  })

  it('is kept for so many only: the oldest go first', async () => {
    const access = accessAt()
    const first = split(access.newLink())
    for (let i = 0; i < 63; i++) access.newLink()
    expect(access.keys.keyOf(first.id)).toBe(first.key)
    access.newLink()
    expect(access.keys.keyOf(first.id)).toBeNull()
    const pages = []
    for (let i = 0; i < 257; i++) {
      const { id, key } = split(access.newLink())
      await access.keys.admitted?.(exchangeOf(id))
      pages.push(await pageCredential(key, exchangeOf(id)))
      // in use all the time
      await access.keys.admitted?.(exchangeOf(pages[0]?.id ?? ''))
    }
    expect(access.keys.keyOf(pages[0]?.id ?? '')).toBe(pages[0]?.key)
    expect(access.keys.keyOf(pages[1]?.id ?? '')).toBeNull()
    expect(access.keys.keyOf(pages[2]?.id ?? '')).toBe(pages[2]?.key)
  })
})

describe('the dashboard’s address', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:5520'],
    ['0.0.0.0', 'http://127.0.0.1:5520'],
    ['::', 'http://[::1]:5520'],
    ['::1', 'http://[::1]:5520'],
    ['localhost', 'http://localhost:5520'],
  ])('of an engine on %s is %s', (host, origin) => {
    expect(pageOrigin({ host, port: 5520 })).toBe(origin)
    expect(new URL(origin).origin).toBe(origin)
  })
})
