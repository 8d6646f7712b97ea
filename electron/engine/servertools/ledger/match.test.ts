import { describe, expect, it } from 'vitest'
import type { AssistantTurn } from '../../protocol/server-tools/types.ts'
import { anchorOf, type LedgerEntry } from './ledger.ts'
import { matchEntries } from './match.ts'

const answers = (...texts: string[]): AssistantTurn[] =>
  texts.map((text, i) => ({ first: 2 * i + 1, last: 2 * i + 1, text, calls: [] }))
/** `Done@2#a`: the text, the place it had, and what tells it from others */
function entry(written: string): LedgerEntry {
  const [, text = '', ordinal = '', name = ''] = /^(\w+)@(\d)#(\w)$/.exec(written) ?? []
  return {
    at: 0,
    protocol: 'chat',
    anchor: anchorOf(Number(ordinal), text, []),
    responseId: name,
    continuesAs: null,
    hidden: { before: [], filler: false, calls: [], results: [] },
  }
}

describe('an entry', () => {
  it.each<[string, string[], string[], Record<string, number>]>([
    [
      'belongs to the answer at its place',
      ['Done@0#a', 'Done@1#b', 'Well@2#c'],
      ['Done', 'Done', 'Well'],
      { a: 0, b: 1, c: 2 },
    ],
    ['is found where answers before it are gone', ['Well@1#a', 'Bye@2#b'], ['Well', 'Bye'], { a: 0, b: 1 }],
    ['is lost where its answer is', ['Done@0#a', 'Well@1#b'], ['Else', 'Well'], { b: 1 }],
    ['of an answer that was asked for twice is the newer', ['Done@0#a', 'Done@0#b'], ['Done'], { b: 0 }],
    ['of an answer that was asked for twice goes to no other', ['Done@0#a', 'Done@0#b'], ['Done', 'Done'], { b: 0 }],
    [
      'from before a compaction leaves answers alone that have their own',
      ['Done@3#a', 'Done@0#b'],
      ['Done', 'Well'],
      { b: 0 },
    ],
    ['is looked for behind the one before it', ['Well@4#a', 'Done@5#b'], ['Done', 'Well', 'Done'], { a: 1, b: 2 }],
    ['takes an answer for itself alone', ['Done@7#a', 'Done@8#b'], ['Done'], { a: 0 }],
    ['has none in an empty history', ['Done@0#a'], [], {}],
  ])('%s', (_, written, texts, expected) => {
    const turns = answers(...texts)
    const entries = written.map(entry)
    const { found, lost } = matchEntries(entries, turns)
    expect(Object.fromEntries(found.map((match) => [match.entry.responseId, turns.indexOf(match.turn)]))).toEqual(
      expected,
    )
    expect(new Set([...lost, ...found.map((match) => match.entry)])).toEqual(new Set(entries))
  })
})
