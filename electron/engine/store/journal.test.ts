import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore, type StoreProblem } from './create-store.ts'
import { JOURNAL, changeBetween, withChange } from './journal.ts'
import { openJournal } from './read-journal.ts'
import { crashingFiles, type CrashingFiles, type Fate } from './testing/crashing-files.ts'
import { memoryFiles } from './testing/memory-files.ts'
import type { DocumentSpec, Files } from './types.ts'

interface State {
  n: number
  rounds: readonly { text: string }[]
}
const specOf = (path: string): DocumentSpec<State> => ({
  path,
  version: 1,
  journaled: true,
  parse: (value) => value as State,
})
const spec = specOf('a.json')
const HOUR = 3_600_000

async function engine(files: Files) {
  const clock = virtualClock()
  const problems: StoreProblem[] = []
  const onProblem = (problem: StoreProblem) => void problems.push(problem)
  const journal = await openJournal({ root: '/s', files, clock, onProblem })
  const store = createStore({ root: '/s', files, clock, log: silentLog, journal, onProblem })
  return { clock, journal, store, problems, document: await store.document(spec) }
}
type Running = Awaited<ReturnType<typeof engine>>

/** A scope's file, as its rounds go on. */
const long = Array.from({ length: 40 }, (_, i) => ({ text: `${i} ${'x'.repeat(500)}` }))
const state = (n: number): State => ({ n, rounds: [...long, { text: `round ${n}` }].slice(-40) })
const next = ({ n, rounds }: State): State => ({ n: n + 1, rounds: [...rounds.slice(1), { text: `round ${n + 1}` }] })

function counted() {
  const files = memoryFiles()
  const written: string[] = []
  return {
    files: {
      ...files,
      writeAtomic: (path: string, data: string) => {
        written.push(`whole ${path} ${data.length}`)
        return files.writeAtomic(path, data)
      },
      append: (path: string, data: string, how?: { sync: boolean }) => {
        written.push(`lines ${data.split('\n').length - 1}, ${how?.sync ? 'synced' : 'not synced'}`)
        return files.append(path, data)
      },
    },
    content: files.content,
    written,
  }
}

describe('a document in the journal', () => {
  it('is written whole first, then as a line for each change', async () => {
    const { files, written, content } = counted()
    const { document } = await engine(files)
    await document.set(state(1))
    for (let i = 0; i < 3; i++) await document.update((now) => now && next(now))
    expect(written).toEqual([
      expect.stringMatching(/^whole \/s\/a\.json 2\d{4}$/),
      expect.stringMatching(/^whole \/s\/journal\.jsonl 1\d\d$/),
      'lines 1, synced',
      'lines 1, synced',
    ])
    expect(JSON.parse(content.get('/s/a.json') ?? '')).toEqual({ version: 1, journal: 1, state: state(1) })
    const after = await engine(files)
    expect(after.document.get()).toEqual(document.get())
    expect(after.problems).toEqual([])
    expect([...content.keys()]).toEqual(['/s/a.json'])
  })

  it('shares a write with all who wait', async () => {
    const { files, written } = counted()
    const { store } = await engine(files)
    const documents = await Promise.all(Array.from({ length: 30 }, (_, i) => store.document(specOf(`${i}.json`))))
    await Promise.all(documents.map((document) => document.set(state(1))))
    await documents[0]?.set(state(2))
    written.length = 0
    await Promise.all(documents.map((document) => document.set(state(3))))
    expect(written).toEqual(['lines 30, synced'])
  })

  it('is read from a file of an Onward that had no journal, and goes on in lines', async () => {
    const { files, content, written } = counted()
    content.set('/s/a.json', JSON.stringify({ version: 1, state: state(1) }))
    const { document } = await engine(files)
    await document.set(next(state(1)))
    expect(written).toEqual([expect.stringMatching(/^whole \/s\/journal/)])
    expect((await engine(files)).document.get()).toEqual(next(state(1)))
  })

  it('that was removed stands in no line any more once the journal is brought into the files', async () => {
    const { files, content } = counted()
    const { document, store, journal } = await engine(files)
    const other = await store.document(specOf('b.json'))
    for (const one of [document, other]) {
      await one.set(state(1))
      await one.set(next(state(1)))
    }
    await document.update((now) => now && { ...now, rounds: [{ text: 'UNICORN' }] })
    await document.remove()
    expect(content.get('/s/journal.jsonl')).toContain('UNICORN')
    await journal.fold()
    expect([...content.keys()]).toEqual(['/s/b.json'])
    await other.set(state(7))
    expect((await (await engine(files)).store.document(specOf('b.json'))).get()).toEqual(state(7))
  })

  it('says so where the journal can not be brought into the files, and tries again', async () => {
    const { files, content } = counted()
    let full = false
    const disk = {
      ...files,
      writeAtomic: async (path: string, data: string) => {
        if (full) throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
        return files.writeAtomic(path, data)
      },
    }
    const { document, journal, clock } = await engine(disk)
    await document.set(state(1))
    await document.set(next(state(1)))
    full = true
    await expect(journal.fold()).rejects.toMatchObject({ code: 'store-failed', details: { system: 'ENOSPC' } })
    expect(content.has('/s/journal.jsonl')).toBe(true)
    full = false
    await clock.advance(5_000)
    expect([...content.keys()]).toEqual(['/s/a.json'])
    await journal.fold()
  })

  it('is written whole where most of it changed', async () => {
    const { files, written } = counted()
    const { document } = await engine(files)
    await document.set(state(1))
    await document.set({ n: 2, rounds: [{ text: 'y'.repeat(70_000) }] })
    expect(written.at(-1)).toMatch(/^whole \/s\/a\.json/)
  })

  it.each([
    ['an hour later', async ({ clock }: Running) => clock.advance(HOUR)],
    ['as the engine ends', async ({ journal }: Running) => journal.close()],
  ])('is brought into its file %s', async (_, bring) => {
    const { files, content } = counted()
    const running = await engine(files)
    await running.document.set(state(1))
    await running.document.set(next(state(1)))
    await bring(running)
    expect(JSON.parse(content.get('/s/a.json') ?? '').state).toEqual(next(state(1)))
    expect([...content.keys()]).toEqual(['/s/a.json'])
    await running.document.set(state(7))
    expect((await engine(files)).document.get()).toEqual(state(7))
  })

  it('stands in its file within five seconds, and several changes are one write of it', async () => {
    const { files, written, content } = counted()
    const { document, store, clock, journal } = await engine(files)
    const other = await store.document(specOf('b.json'))
    for (const one of [document, other]) await one.set(state(1))
    const fileOf = (path: string) => JSON.parse(content.get(path) ?? '').state.n as number
    for (let n = 2; n < 6; n++) {
      const before = written.length
      for (const one of [document, other]) await one.set(next(state(n - 1)))
      // A change waits for its line alone.
      expect(
        written.slice(before).filter((what) => what.startsWith('whole /s/a') || what.startsWith('whole /s/b')),
      ).toEqual([])
      await clock.advance(500)
    }
    await clock.advance(3_000)
    expect([fileOf('/s/a.json'), fileOf('/s/b.json')]).toEqual([5, 5])
    expect(written.filter((what) => what.startsWith('whole /s/a.json'))).toHaveLength(2)
    await document.set(next(state(5)))
    expect(written.at(-1)).toBe('lines 1, synced')
    await journal.close()
    const count = written.length
    await clock.advance(HOUR)
    expect([fileOf('/s/a.json'), written.length]).toEqual([6, count])
  })

  it('stands in its file later where the disk refuses just then, and nothing of it is lost', async () => {
    const files = memoryFiles()
    let refuses = false
    const running = await engine({
      ...files,
      writeAtomic: (path, data) => (refuses ? Promise.reject(new Error('EIO')) : files.writeAtomic(path, data)),
    })
    await running.document.set(state(1))
    await running.document.set(next(state(1)))
    refuses = true
    await running.clock.advance(4_000)
    expect(JSON.parse(files.content.get('/s/a.json') ?? '').state).toEqual(state(1))
    refuses = false
    await running.clock.advance(6_000)
    expect(JSON.parse(files.content.get('/s/a.json') ?? '').state).toEqual(next(state(1)))
    await running.document.set(state(3))
    expect((await engine(files)).document.get()).toEqual(state(3))
  })

  it('is brought into its file when much has gathered, and goes on in lines', async () => {
    const { files, written } = counted()
    const { document } = await engine(files)
    for (let i = 0; i < 90; i++) await document.set({ n: i, rounds: [{ text: `${i % 10}`.repeat(50_000) }] })
    expect(written.filter((what) => what.startsWith('whole /s/a.json'))).toHaveLength(2)
    expect(written.at(-1)).toBe('lines 1, synced')
    expect((await engine(files)).document.get()?.n).toBe(89)
  })

  it('stays gone when it was removed, and is a new one when it is made again', async () => {
    const files = memoryFiles()
    const { document } = await engine(files)
    await document.set(state(1))
    await document.set(state(2))
    await document.remove()
    expect((await engine(crashingFiles(files.content))).document.get()).toBeNull()
    await document.set(state(3))
    expect((await engine(files)).document.get()).toEqual(state(3))
  })
})

describe('a journal that a start finds', () => {
  const left = async () => {
    const files = memoryFiles()
    const { document } = await engine(files)
    await document.set(state(1))
    await document.set(state(2))
    await document.set(state(3))
    const lines = files.content.get(`/s/${JOURNAL}`) ?? ''
    return { files, lines, put: (text: string) => files.content.set(`/s/${JOURNAL}`, text) }
  }

  it('may be cut anywhere: what was whole counts', async () => {
    const { files, lines } = await left()
    const first = lines.indexOf('\n') + 1
    for (const length of [0, 1, first - 1, first, first + 1, lines.length - 1, lines.length]) {
      const disk = memoryFiles()
      for (const [path, text] of files.content) disk.content.set(path, text)
      disk.content.set(`/s/${JOURNAL}`, lines.slice(0, length))
      const { document, problems } = await engine(disk)
      expect(document.get()).toEqual(state(length === lines.length ? 3 : length >= first ? 2 : 1))
      expect(problems).toEqual([])
    }
  })

  it('is set aside, and told of, where a line is damaged or fits no file', async () => {
    const { files, lines, put } = await left()
    const [first = '', second = ''] = lines.split('\n')
    for (const [text, n] of [
      [`noise\n${first}\n`, 2],
      [`${second}\n`, 1],
      [`${first.replace('"members"', '"items"')}\n`, 1],
      [`${first.replace('a.json', '../a.json')}\n`, 1],
    ] as const) {
      const disk = memoryFiles()
      put(text)
      for (const [path, bytes] of files.content) disk.content.set(path, bytes)
      const { document, problems } = await engine(disk)
      expect(document.get()).toEqual(state(n))
      expect(problems).toMatchObject([{ file: JOURNAL, code: 'store-corrupt' }])
      const aside = [...disk.content.keys()].find((path) => path.includes('corrupt')) ?? ''
      expect(aside).toMatch(/^\/s\/journal\.jsonl\.corrupt-/)
      expect(disk.content.get(aside)).toBe(text)
    }
  })

  it('keeps the engine from starting while the disk can’t take what is in it', async () => {
    const { files } = await left()
    const disk = crashingFiles(files.content)
    disk.fates = ['nothing']
    await expect(engine(disk)).rejects.toMatchObject({ code: 'store-failed' })
    expect((await engine(disk)).document.get()).toEqual(state(3))
  })
})

describe('a disk that refuses', () => {
  it('a line: the caller hears of it, and everything is written whole from there on', async () => {
    const disk = crashingFiles()
    const running = await engine(disk)
    const other = await running.store.document(specOf('b.json'))
    for (const document of [running.document, other]) for (const n of [1, 2]) await document.set(state(n))
    disk.fates = ['half', 'nothing']
    await expect(running.document.set(state(3))).rejects.toMatchObject({ code: 'store-failed' })
    expect(running.document.get()).toEqual(state(2))
    await running.document.set(state(4))
    await running.clock.advance(10_000)
    expect([...disk.content.keys()].toSorted()).toEqual(['/s/a.json', '/s/b.json'])
    const after = await engine(disk)
    expect(after.document.get()).toEqual(state(4))
    expect((await after.store.document(specOf('b.json'))).get()).toEqual(state(2))
  })
})

type Step = { at: 'a' | 'b' | 'c'; to: 'next' | 'other' | 'gone' } | { wait: number } | { together: Step[] }

describe('power lost at any step, on a disk that refuses now and then', () => {
  const fate: fc.Arbitrary<Fate> = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Fate>('done') },
    fc.constantFrom<Fate[]>('nothing', 'half', 'all'),
  )
  const change: fc.Arbitrary<Step> = fc.record({
    at: fc.constantFrom('a' as const, 'b' as const, 'c' as const),
    to: fc.oneof(
      { weight: 8, arbitrary: fc.constant('next' as const) },
      fc.constantFrom('other' as const, 'gone' as const),
    ),
  })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: change },
    { weight: 3, arbitrary: fc.record({ together: fc.array(change, { maxLength: 4 }) }) },
    fc.record({ wait: fc.constantFrom(0, 5_000, HOUR) }),
  )

  it('loses nothing that was acknowledged, and makes nothing up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(step, { maxLength: 25 }), fc.array(fate), fc.nat(30), fc.boolean()), {
          minLength: 1,
          maxLength: 4,
        }),
        async (lives) => {
          let disk: CrashingFiles = crashingFiles()
          /** for each document: the acknowledged state, then others that may be there as well */
          const possible = new Map<string, (State | null)[]>()
          let n = 0
          for (const [script, fates, crashAt, close] of lives) {
            const { store, journal, clock } = await engine(disk)
            disk.fates = [...fates]
            disk.crashAt = crashAt
            const act = async (one: Step): Promise<unknown> => {
              if (disk.crashed) return
              if ('wait' in one) return clock.advance(one.wait)
              if ('together' in one) return Promise.all(one.together.map(act))
              const document = await store.document(specOf(`${one.at}.json`))
              const of = possible.get(one.at) ?? [null]
              possible.set(one.at, of)
              const to = { gone: null, next: next(document.get() ?? state(++n)), other: state(++n + 1_000) }[one.to]
              of.push(to)
              const done = to ? document.set(to) : document.remove()
              return done.then(
                () => of.splice(0, of.indexOf(to)),
                () => undefined,
              )
            }
            const run = (async () => {
              for (const one of script) await act(one)
              if (close) await journal.close().catch(() => undefined)
              disk.crashAt = null
            })()
            await Promise.race([run, disk.crash])
            disk = crashingFiles(disk.content)
            const after = await engine(disk)
            expect(after.problems).toEqual([])
            for (const [at, of] of possible) {
              const found = (await after.store.document(specOf(`${at}.json`))).get()
              expect(of.map((one) => JSON.stringify(one))).toContain(JSON.stringify(found))
              possible.set(at, [found])
            }
          }
        },
      ),
      runs(600),
    )
  })
})

const onDisk = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a change between two values', () => {
  it('makes the one out of the other, through the disk', () => {
    // Lists of the same few objects, so that they have parts in common.
    const parts = [{ n: 1 }, { n: 2, list: [1, 2, 3] }, { n: 2, list: [2, 3] }, 'text', null, [[]], [{ n: 1 }, 7]]
    const list = fc.array(fc.constantFrom(...parts), { maxLength: 6 })
    const value = fc.oneof(fc.jsonValue(), list, fc.dictionary(fc.constantFrom('a', 'b', 'c'), list))
    fc.assert(
      fc.property(value, value, (before, after) => {
        const change = changeBetween(before, after)
        const made = change ? withChange(onDisk(before), onDisk(change) as typeof change) : onDisk(before)
        expect(made).toEqual(onDisk(after))
      }),
      runs(3_000),
    )
  })

  it('is of what changed alone, also where a list lost its oldest', () => {
    const rounds = Array.from({ length: 40 }, (_, n) => ({ n, text: 'x'.repeat(500), sent: null as string | null }))
    const opened = [...rounds.slice(1), { n: 40, text: 'new', sent: null }]
    const sent = opened.map((round) => (round.n === 39 ? { ...round, sent: 'go on' } : round))
    const before = { rounds, same: { deep: [1, 2, 3] }, gone: 1 }
    const after = { rounds: sent, same: { deep: [1, 2, 3] }, gone: undefined }
    expect(changeBetween(before, after)).toEqual({
      members: {
        rounds: {
          from: 1,
          length: 40,
          items: { 38: { members: { sent: { is: 'go on' } } }, 39: { is: { n: 40, text: 'new', sent: null } } },
        },
      },
      gone: ['gone'],
    })
  })

  it('is refused by a value that it was not made for', () => {
    expect(() => withChange('text', { members: {} })).toThrow(TypeError)
    expect(() => withChange({}, { from: 0, length: 0, items: {} })).toThrow(TypeError)
    expect(() => withChange({}, { members: { a: { members: {} } } })).toThrow(TypeError)
  })

  it('takes a member of any name for a member', () => {
    const after: unknown = JSON.parse('{"__proto__": {"a": 1}, "is": 2, "items": 3}')
    const change = changeBetween({}, after)
    expect(JSON.stringify(withChange({}, onDisk(change) as NonNullable<typeof change>))).toBe(JSON.stringify(after))
  })
})
