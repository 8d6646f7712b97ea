import { describe, expect, it } from 'vitest'
import { createKnownLists } from './known-lists.ts'

const list = (...names: string[]) => Buffer.from(JSON.stringify(names.map((name) => ({ name, about: `a ${name}` }))))

describe('lists of tools that are known', () => {
  it('tells whether a list holds a word as a string of its own, again and again', () => {
    const holdsAny = createKnownLists()
    for (let i = 0; i < 3; i++) {
      expect(holdsAny(list('read', 'clock'), ['clock', 'web_fetch'])).toBe(true)
      expect(holdsAny(list('read', 'clocks'), ['clock', 'web_fetch'])).toBe(false)
      expect(holdsAny(list('read', 'clocks'), ['clocks'])).toBe(true)
    }
  })

  it('looks at a list anew that is as long and another, also where the first was a part of memory used again', () => {
    const holdsAny = createKnownLists()
    const body = list('read', 'click')
    expect(holdsAny(body, ['clock'])).toBe(false)
    list('read', 'clock').copy(body)
    expect(holdsAny(body, ['clock'])).toBe(true)
  })

  it('asks again for other words, and in whatever way they are put together', () => {
    const holdsAny = createKnownLists()
    expect(holdsAny(list('ab'), ['a', 'b'])).toBe(false)
    expect(holdsAny(list('ab'), ['ab'])).toBe(true)
  })

  it('answers for more lists than it remembers, and for one that is too long to be remembered', () => {
    const holdsAny = createKnownLists()
    const long = list('read', 'x'.repeat(3 * 1024 * 1024))
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 40; i++) expect(holdsAny(list('read', `tool-${i}`), ['clock'])).toBe(false)
      expect(holdsAny(long, ['clock'])).toBe(false)
      expect(holdsAny(long, ['read'])).toBe(true)
      for (let i = 0; i < 40; i++) expect(holdsAny(list('clock', `tool-${i}`), ['clock'])).toBe(true)
    }
  })
})
