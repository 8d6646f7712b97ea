import { describe, expect, it } from 'vitest'
import { choicesInShort } from './choices.ts'

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
})
