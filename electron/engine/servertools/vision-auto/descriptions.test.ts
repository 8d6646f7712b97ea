import { describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { diskFiles } from '../../store/disk-files.ts'
import { faultyFiles } from '../../store/testing/faulty-files.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import type { Files } from '../../store/types.ts'
import { createDescriptions, descriptionsSpec, most } from './descriptions.ts'

const folder = tempFolders()
const clock = virtualClock()
const problems: string[] = []
const open = (files: Files, root = '/r') =>
  createDescriptions({
    store: createStore({ root, files, clock, log: silentLog, onProblem: ({ code }) => problems.push(code) }),
    clock,
    log: silentLog,
  })

describe('kept descriptions', () => {
  it('stand on the disk', async () => {
    const root = folder()
    await open(diskFiles(), root).keep('a', 'a cat\ud800')
    await open(diskFiles(), root).keep('b', null)
    const later = open(diskFiles(), root)
    expect(await later.find('a')).toEqual({ text: 'a cat\ud800' })
    expect(await later.find('b')).toEqual({ text: null })
    expect(await later.find('c')).toBeNull()
    expect(await later.find('__proto__')).toBeNull()
  })
  it('go when they are too many, those first that were not used for longest', async () => {
    const files = memoryFiles()
    const one = open(files)
    await Promise.all(Array.from({ length: most.images }, (_, i) => one.keep(`i${i}`, 'x')))
    await one.find('i0')
    await one.keep('new', 'x')
    await one.keep('newer', 'x')
    for (const kept of [one, open(files)]) {
      expect(await kept.find('i0')).not.toBeNull()
      expect(await kept.find('i1')).toBeNull()
      expect(await kept.find('i2')).toBeNull()
      expect(await kept.find('i3')).not.toBeNull()
      expect(await kept.find('newer')).not.toBeNull()
    }
  })
  it('go when they are too long', async () => {
    const kept = open(memoryFiles())
    const large = '中'.repeat(most.bytes / 12)
    for (const hash of ['a', 'b', 'c']) await kept.keep(hash, large)
    await kept.find('a')
    await kept.keep('a', large)
    await kept.keep('d', large)
    await kept.keep('e', 'short')
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (hash) => (await kept.find(hash)) !== null))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
  })
  it('that are used go on being the newest over a restart', async () => {
    const files = memoryFiles()
    const one = open(files)
    for (const hash of ['a', 'b']) await one.keep(hash, 'x')
    await clock.advance(24 * 60 * 60_000)
    await one.find('a')
    await clock.advance(0)
    expect([...files.content.values()].join('').indexOf('"b"')).toBeLessThan(
      [...files.content.values()].join('').indexOf('"a"'),
    )
  })
  it('last as long as the engine where the disk refuses', async () => {
    const files = faultyFiles(memoryFiles())
    const kept = open(files)
    files.fail('ENOSPC', 'writeAtomic')
    await kept.keep('a', 'x')
    expect(await kept.find('a')).toEqual({ text: 'x' })
    expect(problems.splice(0)).toEqual(['store-failed'])
    files.mend()
    await kept.keep('b', 'y')
    expect(await open(files).find('a')).toEqual({ text: 'x' })
  })
  it.each([
    ['is no JSON', '{', 'store-corrupt'],
    ['holds something else', JSON.stringify({ version: 1, state: { images: [{ hash: 1 }] } }), 'store-corrupt'],
  ])('begin anew where the file %s', async (_, text, code) => {
    const files = memoryFiles()
    await files.writeAtomic(`/r/${descriptionsSpec.path}`, text)
    const kept = open(files)
    expect(await kept.find('a')).toBeNull()
    await kept.keep('a', 'x')
    expect(await open(files).find('a')).toEqual({ text: 'x' })
    expect(problems.splice(0)).toEqual([code])
  })
  it('leave the file of a newer Onward alone', async () => {
    const files = memoryFiles()
    const newer = JSON.stringify({ version: 2, state: {} })
    await files.writeAtomic(`/r/${descriptionsSpec.path}`, newer)
    const kept = open(files)
    await kept.keep('a', 'x')
    expect(await kept.find('a')).toEqual({ text: 'x' })
    expect(files.content.get(`/r/${descriptionsSpec.path}`)).toBe(newer)
  })
})
