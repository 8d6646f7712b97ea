import { systemClock } from '../base/clock.ts'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { silentLog, type Log } from '../base/log.ts'
import { diskFiles } from '../store/disk-files.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { jsonlFile, type JsonlFile, type JsonlOptions } from './jsonl-file.ts'
import { textOf } from './lines.ts'

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
