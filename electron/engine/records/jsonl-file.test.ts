import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog, type Log } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { diskFiles } from '../store/disk-files.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import {
  jsonlFile,
  type JsonlFile,
  type JsonlOptions,
  textOf,
  holds,
  lineRow,
  lineWriter,
  release,
} from './jsonl-file.ts'

interface Item {
  n: number
  filler?: string
}
const parse = (value: unknown): Item | null =>
  typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number' ? { n: value.n } : null

/** takes items instead of their JSON */
const ofItems = (file: JsonlFile<Item>) => ({ ...file, append: (item: Item) => file.append(JSON.stringify(item)) })

function open(more: Partial<JsonlOptions<Item>> = {}) {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const warnings: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (_, message) => warnings.push(message),
    error: (_, message) => warnings.push(message),
  }
  const newFile = () =>
    ofItems(jsonlFile<Item>({ clock: systemClock(), files, path: '/r/a.jsonl', log, parse, ...more }))
  const numbers = async (file = newFile()) => {
    const found: number[] = []
    for await (const { item, line } of file.newestFirst()) {
      found.push(item.n)
      expect(JSON.parse(textOf(line))).toMatchObject(item)
    }
    return found
  }
  return { disk, files, warnings, newFile, numbers, file: newFile() }
}

describe('jsonlFile', () => {
  it('keeps records in order, many of a tick in one write', async () => {
    const { disk, file, numbers } = open()
    for (let n = 1; n <= 3; n++) file.append({ n })
    expect(disk.content.size).toBe(0)
    await file.flush()
    expect(disk.content.get('/r/a.jsonl')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
    expect(await numbers()).toEqual([3, 2, 1])
  })

  it('writes nothing where all that waited was taken out', async () => {
    const clock = virtualClock()
    const { disk, file } = open({ clock })
    file.append({ n: 1 })
    await file.flush()
    file.append({ n: 2 })
    await file.drop(({ n }) => n === 2)
    await clock.advance(1_000)
    file.append({ n: 3 })
    await clock.advance(1_000)
    await file.flush()
    expect(disk.content.get('/r/a.jsonl')).toBe('{"n":1}\n{"n":3}\n')
  })

  it('is rotated by size and read over the rotated files', async () => {
    const { disk, file, numbers } = open({ rotateAt: 50, keep: 2 })
    for (let n = 1; n <= 30; n++) {
      file.append({ n })
      await file.flush()
    }
    expect([...disk.content.keys()].sort()).toEqual(['/r/a.1.jsonl', '/r/a.2.jsonl', '/r/a.jsonl'])
    for (const content of disk.content.values()) expect(content.length).toBeLessThan(70)
    const found = await numbers()
    expect(found).toEqual(Array.from({ length: found.length }, (_, i) => 30 - i))
    expect(found.length).toBeGreaterThan(12)
  })

  it('knows the size of a file that an earlier run left', async () => {
    const { disk, newFile } = open({ rotateAt: 50 })
    disk.content.set('/r/a.jsonl', `${'{"n":1}\n'.repeat(10)}`)
    const file = newFile()
    file.append({ n: 2 })
    await file.flush()
    expect(disk.content.get('/r/a.jsonl')).toBe('{"n":2}\n')
  })

  it('passes broken lines by, says so, and does not glue a record to one that a crash cut', async () => {
    const { disk, newFile, numbers, warnings } = open()
    disk.content.set('/r/a.jsonl', '{"n":1}\nrubbish\n{"other":1}\n\n{"n":2}\n{"n":3,"fil')
    const file = newFile()
    file.append({ n: 4 })
    await file.flush()
    expect(await numbers()).toEqual([4, 2, 1])
    expect(warnings).toEqual(['broken lines of a record file were passed by'])
  })

  it('keeps records while the disk is full and writes them when there is room', async () => {
    const { files, file, numbers, warnings } = open()
    file.append({ n: 1 })
    await file.flush()
    files.fail('ENOSPC', 'append')
    for (const n of [2, 3]) {
      file.append({ n })
      await file.flush()
    }
    expect(warnings).toHaveLength(1)
    files.mend()
    file.append({ n: 4 })
    await file.flush()
    expect(await numbers()).toEqual([4, 3, 2, 1])
    files.fail('ENOSPC', 'append')
    file.append({ n: 5 })
    await file.flush()
    expect(warnings).toHaveLength(2)
  })

  it('gives the oldest up when far too many wait', async () => {
    const { files, file, numbers } = open()
    files.fail('ENOSPC', 'append')
    for (let n = 0; n < 300; n++) {
      file.append({ n, filler: 'x'.repeat(10_000) })
      await file.flush()
    }
    files.mend()
    await file.flush()
    const found = await numbers()
    expect(found[0]).toBe(299)
    expect(found.length).toBeGreaterThan(90)
    expect(found.length).toBeLessThan(110)
  })

  it('starts without earlier records when they can not be read', async () => {
    const { files, numbers, warnings } = open()
    files.fail('EIO', 'read')
    expect(await numbers()).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)
  })

  it('lets the event loop run while it reads', async () => {
    const { disk, newFile } = open()
    disk.content.set('/r/a.jsonl', '{"n":1}\n'.repeat(5000))
    let seen = 0
    let most = 0
    let before = 0
    let watching = true
    const watch = () => {
      most = Math.max(most, seen - before)
      before = seen
      if (watching) setImmediate(watch)
    }
    setImmediate(watch)
    for await (const { item } of newFile().newestFirst()) seen += item.n
    watching = false
    expect(seen).toBe(5000)
    expect(most).toBeLessThanOrEqual(200)
  })

  it('works on a real disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-records-'))
    try {
      const file = jsonlFile<Item>({
        clock: systemClock(),
        files: diskFiles(),
        path: join(folder, 'deep', 'a.jsonl'),
        log: silentLog,
        parse,
        rotateAt: 20,
      })
      for (let n = 1; n <= 6; n++) {
        file.append(JSON.stringify({ n }))
        await file.flush()
      }
      expect(readdirSync(join(folder, 'deep')).sort()).toEqual(['a.1.jsonl', 'a.jsonl'])
      expect(readFileSync(join(folder, 'deep', 'a.jsonl'), 'utf8')).toBe('{"n":4}\n{"n":5}\n{"n":6}\n')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** JSON holds no line break, and a surrogate of it stands in a pair */
const text = fc.oneof(
  fc.json(),
  fc.string({ unit: 'grapheme' }).map((said) => JSON.stringify(said)),
  fc.integer({ min: 1, max: 30_000 }).map((length) => JSON.stringify('ü'.repeat(length))),
)

describe('lines outside of the heap', () => {
  it('are read as they were written, whatever signs they are made of', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const lines = texts.map(lineWriter())
        expect(lines.map(textOf)).toEqual(texts)
        lines.forEach((line, i) => expect(holds(line, texts[i] ?? '')).toBe(true))
      }),
      runs(100),
    )
  })

  it('are looked through for themselves only', () => {
    const [first, second] = ['{"a":"tmux:m"}', '{"a":"tmux:n"}'].map(lineWriter())
    expect(first && holds(first, '"tmux:m"')).toBe(true)
    expect(second && holds(second, '"tmux:m"')).toBe(false)
  })

  it('take a little for a few, and share chunks when there are many', () => {
    const write = lineWriter()
    const [first] = ['{"n":0}'].map(write)
    expect(first?.chunk.bytes.length).toBeLessThanOrEqual(4096)
    const chunks = new Set(Array.from({ length: 5000 }, (_, n) => write(JSON.stringify({ n }).padEnd(500)).chunk))
    expect(chunks.size).toBeLessThan(60)
  })

  it('give their chunk’s memory back with the last of them, and with what waits for the disk', () => {
    const write = lineWriter()
    const row = lineRow()
    const first = write('{"n":0}')
    const second = write('{"n":1}')
    const { bytes } = first.chunk
    expect(second.chunk).toBe(first.chunk)
    row.add(first)
    // fills the chunk, so that the writer leaves it
    while (write('{"more":true}'.padEnd(900)).chunk === first.chunk) release(first.chunk)
    release(first.chunk)
    expect(textOf(second)).toBe('{"n":1}')
    release(second.chunk)
    expect(bytes.length).toBe(4096)
    const taken = row.take()
    expect(bytes.length).toBe(0)
    expect(taken.toString()).toBe('{"n":0}\n')
  })

  it('go out in their order, in whole lines, after any steps', () => {
    type Step = { add: number } | { shorten: number } | { drop: number } | 'fail'
    const step: fc.Arbitrary<Step> = fc.oneof(
      { arbitrary: fc.record({ add: fc.integer({ min: 1, max: 9000 }) }), weight: 6 },
      fc.record({ shorten: fc.integer({ min: 0, max: 20_000 }) }),
      fc.record({ drop: fc.integer({ min: 0, max: 20 }) }),
      fc.constant('fail' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const write = lineWriter()
        const row = lineRow()
        let known: string[] = []
        steps.forEach((one, n) => {
          // a write that fails gives back what it took
          if (one === 'fail') row.putBack(row.take())
          else if ('add' in one) {
            const said = JSON.stringify(`${n} ${'ß'.repeat(one.add)}`)
            known.push(said)
            row.add(write(said))
          } else if ('drop' in one) {
            const gone = (said: string) => said.startsWith(`"${one.drop} `)
            known = known.filter((said) => !gone(said))
            row.drop(gone)
          } else {
            while (bytes(known) > one.shorten) known.shift()
            row.shorten(one.shorten)
          }
          expect(row.bytes()).toBe(bytes(known))
        })
        expect(row.take().toString()).toBe(known.map((said) => `${said}\n`).join(''))
        expect(row.bytes()).toBe(0)
      }),
      runs(200),
    )
  })
})

const bytes = (lines: readonly string[]) => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
