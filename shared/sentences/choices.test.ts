import { describe, expect, it } from 'vitest'
import { choicesInShort } from './choices.ts'
import { sentencesOf } from './index.ts'

describe('the choices of a dialog', () => {
  it('are told in a few words, without the keys of the agent', () => {
    expect(
      choicesInShort([
        'Yes, proceed (y)',
        "Yes, and don't ask again for commands that start with `rm -rf build` (p)",
        'No, and tell Codex what to do differently (esc)',
      ]),
    ).toEqual(['Yes, proceed', "Yes, and don't ask again…", 'No, and tell Codex what to…'])
  })

  it('are the first of many', () => {
    expect(choicesInShort(['Green', 'Red', 'Blue (dark)', 'Grey', 'White'])).toEqual([
      'Green',
      'Red',
      'Blue (dark)',
      'Grey',
      '…',
    ])
  })

  it.each(['en', 'zh-CN'] as const)('stand in notifications, not beside the question of a list, %s', (language) => {
    const s = sentencesOf(language)
    const choices = ['Yes', 'No']
    const asked = { question: 'Run it?', about: null, choices: choices.map((label) => ({ label, key: null })) }
    const what = 'permission: npm ci'
    expect(s.say({ code: 'needs-you', what, asked }, 0)).toBe(s.need(what))
    expect(s.notice({ class: 'needs-you', name: 'api', what, choices }).body).toContain('Yes · No')
  })
})
