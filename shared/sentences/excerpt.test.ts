import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { excerpt } from './excerpt.ts'
import { parseNeed } from './needs.ts'
import { runs } from '../testing/runs.ts'

describe('excerpt', () => {
  it('is one line and never longer than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 2, max: 200 }), (text, max) => {
        const out = excerpt(text, max)
        expect([...out].length).toBeLessThanOrEqual(max)
        expect(out).not.toMatch(/[\n\r\t]/)
      }),
      runs(100),
    )
  })

  it('keeps a short text and cuts a long one at a word', () => {
    expect(excerpt('  go\n on ')).toBe('go on')
    expect(excerpt('one two three four five six', 24)).toBe('one two three four five…')
  })
})

describe('what an agent asks for', () => {
  it.each([
    ['permission', { kind: 'permission', detail: null }],
    ['Permission: docker compose up', { kind: 'permission', detail: 'docker compose up' }],
    ['permission to run a command', { kind: 'phrase', phrase: 'permission to run a command' }],
    ['a question', { kind: 'question', detail: null }],
    ['question: keep it?', { kind: 'question', detail: 'keep it?' }],
    ['blocker: no key', { kind: 'blocker', detail: 'no key' }],
    ['permissions are wrong', { kind: 'words', detail: 'permissions are wrong' }],
    ['', { kind: 'words', detail: '' }],
  ])('%s', (what, need) => expect(parseNeed(what)).toEqual(need))
})
