import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { AssistantTurn } from '../../protocol/server-tools/types.ts'
import { createStore } from '../../store/create-store.ts'
import { diskFiles } from '../../store/disk-files.ts'
import { anchorOf, type LedgerEntry, createLedger } from './ledger.ts'
import { matchEntries } from './match.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const turnOf = (text: string, first: number, calls: readonly string[] = []): AssistantTurn => ({
  first,
  last: first,
  text,
  calls,
})
const entryOf = (
  ordinal: number,
  text: string,
  calls: readonly string[] = [],
  more: Partial<LedgerEntry> = {},
): LedgerEntry => ({
  at: Date.UTC(2026, 10, 21, 14),
  protocol: 'messages',
  anchor: anchorOf(ordinal, text, calls),
  responseId: null,
  continuesAs: null,
  hidden: { before: [], filler: false, calls: [], results: [`for ${text} ${ordinal}`] },
  ...more,
})

describe('finding the answers again', () => {
  const told = (entries: readonly LedgerEntry[], turns: readonly AssistantTurn[]) => {
    const { found, lost } = matchEntries(entries, turns)
    return {
      found: found.map(({ entry, turn }) => [entry.anchor.ordinal, turn.first]),
      lost: lost.map(({ anchor }) => anchor.ordinal),
    }
  }
  it.each<[string, LedgerEntry[], AssistantTurn[], { found: number[][]; lost: number[] }]>([
    ['where they were', [entryOf(1, 'B')], [turnOf('A', 0), turnOf('B', 2)], { found: [[1, 2]], lost: [] }],
    [
      'where an earlier one is gone',
      [entryOf(2, 'C')],
      [turnOf('B', 0), turnOf('C', 2)],
      { found: [[2, 2]], lost: [] },
    ],
    [
      'of two alike the one that was meant',
      [entryOf(1, 'Done')],
      [turnOf('Done', 0), turnOf('Done', 2), turnOf('Done', 4)],
      { found: [[1, 2]], lost: [] },
    ],
    [
      'in their order',
      [entryOf(0, 'Done'), entryOf(2, 'Done')],
      [turnOf('Done', 0), turnOf('x', 2), turnOf('Done', 4)],
      {
        found: [
          [0, 0],
          [2, 4],
        ],
        lost: [],
      },
    ],
    ['not with other calls', [entryOf(0, 'A', ['1'])], [turnOf('A', 0, ['2'])], { found: [], lost: [0] }],
    ['not with other words', [entryOf(0, 'A')], [turnOf('B', 0)], { found: [], lost: [0] }],
    [
      'after a compaction not at all',
      [entryOf(3, 'A'), entryOf(5, 'B')],
      [turnOf('new', 1)],
      { found: [], lost: [3, 5] },
    ],
    [
      'the later one though an earlier is edited away',
      [entryOf(0, 'A'), entryOf(1, 'B')],
      [turnOf('A!', 0), turnOf('B', 2)],
      { found: [[1, 2]], lost: [0] },
    ],
  ])('%s', (_, entries, turns, expected) => expect(told(entries, turns)).toEqual(expected))

  it('is right for any history that a client cuts at its beginning', () => {
    const texts = fc.array(fc.constantFrom('Done.', 'A', 'B', 'Yes.'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.boolean()), fc.nat(12), (history, hides, cut) => {
        const entries = history.flatMap((text, i) =>
          hides.next().value === true ? [entryOf(i, `${text}`, [`call_${i}`])] : [],
        )
        const turns = history.map((text, i) => turnOf(text, i * 2, [`call_${i}`])).slice(cut)
        const { found, lost } = matchEntries(entries, turns)
        for (const { entry, turn } of found) expect(turn.calls).toEqual(entry.anchor.calls)
        expect(lost.map(({ anchor }) => anchor.ordinal)).toEqual(
          entries.filter(({ anchor }) => anchor.ordinal < cut).map(({ anchor }) => anchor.ordinal),
        )
      }),
      runs(100),
    )
  })
})

describe('the ledger on the disk', () => {
  const roots: string[] = []
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })
  const clock = virtualClock()
  async function open(root: string) {
    const store = createStore({
      root,
      files: diskFiles(),
      clock,
      log: silentLog,
      onProblem: ({ message }) => {
        throw new Error(message)
      },
    })
    await diskFiles().makeFolder(join(root, 'servertool-pending'))
    const ledger = createLedger({ store, clock })
    await ledger.load()
    return ledger
  }
  const newRoot = (): string => {
    const root = mkdtempSync(join(tmpdir(), 'onward-ledger-'))
    roots.push(root)
    return root
  }

  it('is there after a restart, and knows who has nothing', async () => {
    const root = newRoot()
    const before = await open(root)
    expect(before.mayHave('s/1')).toBe(false)
    await before.add('s/1', entryOf(0, 'A'))
    await before.add('s/1', entryOf(1, 'B', [], { protocol: 'chat' }))
    const after = await open(root)
    expect([after.mayHave('s/1'), after.mayHave('s/2')]).toEqual([true, false])
    expect((await after.of('s/1', 'messages')).map(({ anchor }) => anchor.ordinal)).toEqual([0])
    expect((await after.of('s/1', 'chat')).map(({ anchor }) => anchor.ordinal)).toEqual([1])
  })

  it('forgets what it is told to, and its file with the last of it', async () => {
    const root = newRoot()
    const ledger = await open(root)
    await ledger.add('s', entryOf(0, 'A'))
    await ledger.add('s', entryOf(1, 'B'))
    const [first, second] = await ledger.of('s', 'messages')
    if (!first || !second) throw new Error('they are gone')
    await ledger.forget('s', [first])
    expect(await (await open(root)).of('s', 'messages')).toEqual([second])
    await ledger.forget('s', [second])
    expect(ledger.mayHave('s')).toBe(false)
    expect((await open(root)).mayHave('s')).toBe(false)
  })

  it('is bounded: the oldest go first, the newest stays whatever its size', async () => {
    const ledger = await open(newRoot())
    const big = (ordinal: number) =>
      entryOf(ordinal, 'x', [], {
        at: clock.now(),
        hidden: { before: ['y'.repeat(1_500_000)], filler: false, calls: [], results: [] },
      })
    for (let i = 0; i < 5; i++) await ledger.add('s', big(i))
    expect((await ledger.of('s', 'messages')).map(({ anchor }) => anchor.ordinal)).toEqual([3, 4])
  })
  it('lets go of what is a month old', async () => {
    const ledger = await open(newRoot())
    await ledger.add('s', entryOf(0, 'A', [], { at: clock.now() }))
    await clock.advance(31 * 24 * 3_600_000)
    await ledger.add('s', entryOf(9, 'B', [], { at: clock.now() }))
    expect((await ledger.of('s', 'messages')).map(({ anchor }) => anchor.ordinal)).toEqual([9])
  })
})
