import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../shared/testing/unless.ts'
import { diskFiles } from './disk-files.ts'
import { inBatches, filesAtOnce } from './in-batches.ts'
import { tempFolders } from './testing/temp-folder.ts'

describe('inBatches', () => {
  it('keeps the order of its results', async () => {
    expect(await inBatches([1, 2, 3], async (n) => n * 2)).toEqual([2, 4, 6])
    expect(await inBatches([], async (n: number) => n)).toEqual([])
  })

  it('lets the event loop run between small batches, also when nothing has to be waited for', async () => {
    let done = 0
    let most = 0
    let watching = true
    const watch = (before: number) => {
      most = Math.max(most, done - before)
      if (watching) setImmediate(watch, done)
    }
    setImmediate(watch, 0)
    await inBatches(Array.from({ length: 10_000 }), async () => {
      done += 1
    })
    watching = false
    expect(done).toBe(10_000)
    expect(most).toBeLessThanOrEqual(64)
  })

  it('passes the first failure on', async () => {
    await expect(
      inBatches([1, 2], async (n) => {
        if (n === 2) throw new Error('two')
      }),
    ).rejects.toThrow('two')
  })
})

const temp = tempFolders()

/** A disk that takes `ms` for each file that is read in place. */
function disk(ms: () => number) {
  const ways: string[] = []
  let now = 0
  const files = filesAtOnce(
    {
      ...diskFiles(),
      read: async () => (ways.push('background'), Buffer.from('x')),
      readInPlace: () => (ways.push('in place'), (now += ms()), 'x'),
    },
    { monotonic: () => now },
  )
  const read = async (times: number) => {
    ways.length = 0
    for (let i = 0; i < times; i++) await files.read('/x')
    return { inPlace: ways.filter((way) => way === 'in place').length, all: ways.length }
  }
  return { read }
}

describe('thousands of small files', () => {
  it('are read in place where the disk answers at once', async () => {
    expect(await disk(() => 1).read(600)).toEqual({ inPlace: 600, all: 600 })
  })

  it('are read in the background for a while where it does not', async () => {
    expect(await disk(() => 10).read(600)).toEqual({ inPlace: 9, all: 600 })
  })

  it('are still read in place when the processor was away now and then', async () => {
    let n = 0
    expect(await disk(() => (++n % 3 === 0 ? 1 : 10)).read(600)).toEqual({ inPlace: 600, all: 600 })
  })

  it('are the same either way', async () => {
    const folder = temp()
    const files = filesAtOnce(diskFiles(), { monotonic: () => 0 })
    const long = 'x'.repeat(65_536)
    const kinds = { ascii: '{"a":1}', empty: '', other: '{"a":"é 世"}', long, nearly: long.slice(1) }
    for (const [name, text] of Object.entries(kinds)) {
      writeFileSync(join(folder, name), text)
      expect(String(await files.read(join(folder, name)))).toBe(text)
      expect(await files.modifiedAt(join(folder, name))).toBe(await diskFiles().modifiedAt?.(join(folder, name)))
    }
    expect(await files.read(join(folder, 'none'))).toBeNull()
    expect(await files.modifiedAt(join(folder, 'none'))).toBeNull()
    mkdirSync(join(folder, 'folder'))
    await expect(files.read(join(folder, 'folder'))).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('never wait for a pipe in place', unless(onWindows), () => {
    const pipe = join(temp(), 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    expect(diskFiles().readInPlace?.(pipe)).toBeUndefined()
  })
})
