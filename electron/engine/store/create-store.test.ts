import fc from 'fast-check'
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore, type StoreProblem } from './create-store.ts'
import { diskFiles } from './disk-files.ts'
import { faultyFiles } from './testing/faulty-files.ts'
import { memoryFiles } from './testing/memory-files.ts'
import { tempFolders } from './testing/temp-folder.ts'
import type { DocumentSpec, Files } from './types.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { asRoot, unless } from '../../../shared/testing/unless.ts'

const temp = tempFolders()
const shape = z.object({ n: z.number(), list: z.array(z.number()).default([]) })
type State = z.infer<typeof shape>
const spec: DocumentSpec<State> = { path: 'a.json', version: 2, parse: (value) => shape.parse(value) }

function storeOver(files: Files, root = '/store') {
  const problems: StoreProblem[] = []
  const store = createStore({
    root,
    files,
    clock: virtualClock(),
    log: silentLog,
    onProblem: (problem) => problems.push(problem),
  })
  return { store, problems }
}

function inMemory() {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  return { disk, files, ...storeOver(files), onDisk: () => disk.content.get('/store/a.json') ?? null }
}

describe('a document', () => {
  it('is null without a file, and is found again by the next engine', async () => {
    const root = temp()
    const first = await storeOver(diskFiles(), root).store.document(spec)
    expect(first.get()).toBeNull()
    await first.set({ n: 1, list: [1] })
    expect(JSON.parse(readFileSync(join(root, 'a.json'), 'utf8'))).toEqual({ version: 2, state: { n: 1, list: [1] } })
    const second = await storeOver(diskFiles(), root).store.document(spec)
    expect(second.get()).toEqual({ n: 1, list: [1] })
    await second.remove()
    expect(readdirSync(root)).toEqual([])
  })

  it('is one and the same for everybody who opens it, also at once', async () => {
    const { store } = inMemory()
    const [one, other] = await Promise.all([store.document(spec), store.document(spec)])
    expect(one).toBe(other)
    expect(await store.document(spec)).toBe(one)
  })

  it('shows a value in memory only when it is on the disk', async () => {
    const { store, files, onDisk } = inMemory()
    const document = await store.document(spec)
    const release = files.hold()
    const told: string[] = []
    const saving = document.set({ n: 1, list: [] }).then(() => told.push('ok'))
    await new Promise((resolve) => setImmediate(resolve))
    expect([document.get(), onDisk(), told]).toEqual([null, null, []])
    release()
    await saving
    expect([document.get(), JSON.parse(onDisk() ?? '').state, told]).toEqual([
      { n: 1, list: [] },
      { n: 1, list: [] },
      ['ok'],
    ])
  })

  it('gathers changes while a write runs, and answers each only after its own data is on the disk', async () => {
    const { store, files, onDisk } = inMemory()
    const document = await store.document(spec)
    const release = files.hold()
    const seen: [number, string | null][] = []
    const add = (n: number) =>
      document
        .update((old) => ({ n, list: [...(old?.list ?? []), n] }))
        .then((value) => seen.push([value?.n ?? 0, onDisk()]))
    const first = add(1)
    await new Promise((resolve) => setImmediate(resolve))
    const rest = [add(2), add(3), add(4)]
    release()
    await Promise.all([first, ...rest])
    expect(files.writes).toHaveLength(2)
    expect(seen.map(([n]) => n)).toEqual([1, 2, 3, 4])
    expect(JSON.parse(seen[0]?.[1] ?? '').state.list).toEqual([1])
    expect(JSON.parse(seen[1]?.[1] ?? '').state.list).toEqual([1, 2, 3, 4])
  })

  it('does not write what did not change', async () => {
    const { store, files } = inMemory()
    const document = await store.document(spec)
    await document.set({ n: 1, list: [] })
    await document.update((old) => old)
    expect(files.writes).toHaveLength(1)
  })

  it('keeps the old value when the disk is full, says so, and goes on when there is room again', async () => {
    const { store, files, problems } = inMemory()
    const document = await store.document(spec)
    await document.set({ n: 1, list: [] })
    files.fail('ENOSPC', 'writeAtomic')
    const failure = await document.set({ n: 2, list: [] }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'store-failed',
      retryable: true,
      details: { system: 'ENOSPC', file: 'a.json' },
      message: expect.stringContaining('the disk is full'),
    })
    await expect(document.set({ n: 3, list: [] })).rejects.toMatchObject({ code: 'store-failed' })
    await expect(document.remove()).resolves.toBeUndefined()
    expect(document.get()).toBeNull()
    files.mend()
    await document.set({ n: 4, list: [] })
    expect(document.get()).toEqual({ n: 4, list: [] })
    expect(problems.map((problem) => problem.code)).toEqual(['store-failed'])
    files.fail('EROFS', 'writeAtomic')
    await expect(document.set({ n: 5, list: [] })).rejects.toMatchObject({ details: { system: 'EROFS' } })
    expect(problems).toHaveLength(2)
  })

  it('lets a change that throws fail alone', async () => {
    const { store } = inMemory()
    const document = await store.document(spec)
    const results = await Promise.allSettled([
      document.set({ n: 1, list: [] }),
      document.update(() => {
        throw new Error('no')
      }),
      document.update((old) => ({ n: (old?.n ?? 0) + 1, list: [] })),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(document.get()?.n).toBe(2)
  })

  it('refuses to be changed in place, which would be ahead of the disk', async () => {
    const { store } = inMemory()
    const document = await store.document(spec)
    await document.set({ n: 1, list: [1] })
    await expect(
      document.update((old) => {
        old?.list.push(2)
        return old
      }),
    ).rejects.toThrow(TypeError)
    expect(document.get()).toEqual({ n: 1, list: [1] })
  })

  it('says which permission is missing in a read-only folder', unless(asRoot), async () => {
    const root = temp()
    const document = await storeOver(diskFiles(), root).store.document(spec)
    chmodSync(root, 0o500)
    await expect(document.set({ n: 1, list: [] })).rejects.toMatchObject({
      code: 'store-failed',
      details: { system: 'EACCES' },
      message: expect.stringContaining('permissions'),
    })
    chmodSync(root, 0o700)
  })

  it('ends, whatever fails in between, with memory equal to the disk and no acknowledged change lost', async () => {
    const step = fc.oneof(
      fc.constant('fail' as const),
      fc.constant('mend' as const),
      fc.constant('remove' as const),
      fc.integer({ min: 1, max: 99 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (steps, waits) => {
          const { store, files, onDisk } = inMemory()
          const document = await store.document(spec)
          const told: (number | null)[] = []
          const pending: Promise<unknown>[] = []
          for (const [i, step] of steps.entries()) {
            if (step === 'fail') files.fail('EIO', 'writeAtomic', 'remove')
            else if (step === 'mend') files.mend()
            else {
              const value = step === 'remove' ? null : { n: step, list: [] }
              const change = (value ? document.set(value) : document.remove()).then(
                () => told.push(value?.n ?? null),
                () => undefined,
              )
              pending.push(change)
              if (waits[i]) await change
            }
          }
          await Promise.all(pending)
          const text = onDisk()
          expect(document.get()).toEqual(text === null ? null : JSON.parse(text).state)
          expect(document.get()?.n ?? null).toBe(told.at(-1) ?? null)
        },
      ),
      runs(300),
    )
  })
})

describe('a file that is not as it should be', () => {
  it.each([
    ['no JSON', '{"version":2,"state":{"n":'],
    ['no envelope', '{"n":1}'],
    ['another shape', '{"version":2,"state":{"n":"one"}}'],
    ['no text', '\u0000\u0000'],
    ['an empty file', ''],
  ])('is moved aside and reported (%s), and the document starts anew', async (_, content) => {
    const root = temp()
    writeFileSync(join(root, 'a.json'), content)
    const { store, problems } = storeOver(diskFiles(), root)
    const document = await store.document(spec)
    expect(document.get()).toBeNull()
    expect(problems).toMatchObject([{ file: 'a.json', code: 'store-corrupt' }])
    const aside = readdirSync(root).find((name) => name.startsWith('a.json.corrupt-2026-11-21T14-00-00'))
    expect(readFileSync(join(root, aside ?? ''), 'utf8')).toBe(content)
    expect(await store.list('.')).toEqual([])
  })

  it('leaves what its document says counts then, also for the next start', async () => {
    const root = temp()
    const careful = { ...spec, whenCorrupt: { n: 7, list: [] } }
    writeFileSync(join(root, 'a.json'), 'noise')
    expect((await storeOver(diskFiles(), root).store.document(careful)).get()).toEqual({ n: 7, list: [] })
    expect((await storeOver(diskFiles(), root).store.document(spec)).get()).toEqual({ n: 7, list: [] })
    expect((await storeOver(diskFiles(), temp()).store.document(careful)).get()).toBeNull()
  })

  it('is not thrown away when a second one comes in the same millisecond', async () => {
    const root = temp()
    for (const content of ['bad 1', 'bad 2']) {
      writeFileSync(join(root, 'a.json'), content)
      await storeOver(diskFiles(), root).store.document(spec)
    }
    expect(
      readdirSync(root)
        .map((name) => readFileSync(join(root, name), 'utf8'))
        .sort(),
    ).toEqual(['bad 1', 'bad 2'])
  })

  it('does not block the start when it can not be moved, and is moved before it is written over', async () => {
    const disk = memoryFiles()
    disk.content.set('/store/a.json', 'bad')
    const files = faultyFiles(disk)
    files.fail('EROFS', 'rename')
    const { store, problems } = storeOver(files)
    const document = await store.document(spec)
    expect(document.get()).toBeNull()
    expect(problems[0]?.message).toContain('could not be moved aside')
    await expect(document.set({ n: 1, list: [] })).rejects.toMatchObject({ code: 'store-failed' })
    expect(disk.content.get('/store/a.json')).toBe('bad')
    files.mend()
    await document.set({ n: 1, list: [] })
    expect([...disk.content.values()]).toContain('bad')
  })

  it('is refused, untouched, when a newer Onward wrote it', async () => {
    const root = temp()
    const newer = '{"version":3,"state":{"future":true}}'
    writeFileSync(join(root, 'a.json'), newer)
    const { store } = storeOver(diskFiles(), root)
    await expect(store.document(spec)).rejects.toMatchObject({
      code: 'store-newer',
      message: expect.stringContaining('format 3'),
    })
    expect(readFileSync(join(root, 'a.json'), 'utf8')).toBe(newer)
  })

  it('is moved aside, when a newer Onward wrote it, where its document can be done without', async () => {
    const root = temp()
    const newer = '{"version":3,"state":{"future":true}}'
    writeFileSync(join(root, 'a.json'), newer)
    const { store, problems } = storeOver(diskFiles(), root)
    const document = await store.document({ ...spec, whenCorrupt: { n: 7, list: [] }, asideWhenNewer: true })
    expect(document.get()).toEqual({ n: 7, list: [] })
    expect(problems).toMatchObject([
      { file: 'a.json', code: 'store-newer', message: expect.stringContaining('format 3') },
    ])
    const aside = readdirSync(root).filter((name) => name.startsWith('a.json.newer-'))
    expect(aside.map((name) => readFileSync(join(root, name), 'utf8'))).toEqual([newer])
    expect((await storeOver(diskFiles(), root).store.document(spec)).get()).toEqual({ n: 7, list: [] })
  })

  it('is read when an older Onward wrote it', async () => {
    const root = temp()
    writeFileSync(join(root, 'a.json'), '{"version":1,"state":{"n":7}}')
    expect((await storeOver(diskFiles(), root).store.document(spec)).get()).toEqual({ n: 7, list: [] })
  })

  it('is not taken for corrupt when it only can not be read', async () => {
    const disk = memoryFiles()
    disk.content.set('/store/a.json', '{"version":2,"state":{"n":1}}')
    const files = faultyFiles(disk)
    files.fail('EIO', 'read')
    const { store } = storeOver(files)
    await expect(store.document(spec)).rejects.toMatchObject({ code: 'store-failed', details: { system: 'EIO' } })
    files.mend()
    expect((await store.document(spec)).get()?.n).toBe(1)
  })
})

describe('the store', () => {
  it.each(['/etc/a.json', '../a.json', 'a/../../b.json', 'a//b.json', './a.json', 'a.txt'])(
    'refuses the path %s',
    async (path) => {
      await expect(inMemory().store.document({ ...spec, path })).rejects.toMatchObject({ code: 'store-path' })
    },
  )

  it('waits in flush for every queued write, and tells when one failed', async () => {
    const { store, files, onDisk } = inMemory()
    const document = await store.document(spec)
    const saving = document.set({ n: 1, list: [] })
    await store.flush()
    expect(onDisk()).not.toBeNull()
    await saving
    files.fail('EIO', 'writeAtomic')
    const failing = document.set({ n: 2, list: [] }).catch(() => 'told')
    await expect(store.flush()).rejects.toMatchObject({ code: 'store-failed' })
    expect(await failing).toBe('told')
  })

  it('lists documents only, by name or newest first', async () => {
    const root = temp()
    const { store } = storeOver(diskFiles(), root)
    for (const [i, name] of ['b', 'c', 'a'].entries()) {
      await (await store.document({ ...spec, path: `x/${name}.json` })).set({ n: i, list: [] })
      // file systems with coarse times would leave the order open
      const at = new Date(1_700_000_000_000 + i * 10_000)
      await import('node:fs').then(({ utimesSync }) => utimesSync(join(root, 'x', `${name}.json`), at, at))
    }
    writeFileSync(join(root, 'x', '.onward-1-1.tmp'), '')
    writeFileSync(join(root, 'x', 'd.json.corrupt-2026'), '')
    expect(await store.list('x')).toEqual(['a.json', 'b.json', 'c.json'])
    expect(await store.newestFirst('x', await store.list('x', 'any'))).toEqual(['a.json', 'c.json', 'b.json'])
    expect(await store.list('nowhere')).toEqual([])
  })

  it('asks the disk once where several list a folder at once, and again after a change', async () => {
    const disk = memoryFiles()
    let asked = 0
    const { store } = storeOver({
      ...disk,
      async list(folder) {
        asked++
        const names = await disk.list(folder)
        await new Promise((resolve) => setImmediate(resolve))
        return names
      },
    })
    const [one, other] = await Promise.all([store.list('.'), store.list('', 'any')])
    expect([one, other, asked]).toEqual([[], [], 1])
    const before = store.list('.')
    await (await store.document(spec)).set({ n: 1, list: [] })
    expect(await store.list('.')).toEqual(['a.json'])
    expect(await before).toEqual([])
    expect(asked).toBe(3)
  })
})
