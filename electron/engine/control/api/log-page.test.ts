import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLogPage } from './log-page.ts'

let home = ''
const file = () => join(home, 'logs', 'engine.log')
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-log-page-'))
  await mkdir(join(home, 'logs'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('a page of the log', () => {
  it('is empty where there is no log yet, and begins with the first line then', async () => {
    const none = await readLogPage(home, null, 100)
    expect(none).toEqual({ path: file(), lines: [], cursor: '', gap: false })
    await writeFile(file(), 'a\nb\n')
    expect(await readLogPage(home, none.cursor, 100)).toMatchObject({ lines: ['a', 'b'], gap: false })
  })

  it('goes on where the one before ended, and never with half a line', async () => {
    await writeFile(file(), 'a\nb')
    const first = await readLogPage(home, null, 100)
    expect(first.lines).toEqual(['a'])
    expect((await readLogPage(home, first.cursor, 100)).lines).toEqual([])
    await appendFile(file(), 'c\nd\n')
    const second = await readLogPage(home, first.cursor, 100)
    expect(second).toMatchObject({ lines: ['bc', 'd'], gap: false })
    expect((await readLogPage(home, second.cursor, 100)).lines).toEqual([])
  })

  it('begins anew with a log that took the place of the old one', async () => {
    await writeFile(file(), 'a\nb\n')
    const { cursor } = await readLogPage(home, null, 100)
    await rename(file(), `${file()}.1`)
    await writeFile(file(), 'c\n')
    expect((await readLogPage(home, cursor, 100)).lines).toEqual(['c'])
  })

  it('is bounded in lines and bytes, and says that something was left out', async () => {
    await writeFile(file(), 'a\nb\nc\n')
    expect(await readLogPage(home, null, 2)).toMatchObject({ lines: ['b', 'c'], gap: true })
    const long = `${'x'.repeat(99)}\n`.repeat(20_000)
    await writeFile(file(), `${long}last\n`)
    const page = await readLogPage(home, null, 1_000_000)
    expect([page.lines.at(-1), page.gap, page.lines.every((line) => line.length === 99 || line === 'last')]).toEqual([
      'last',
      true,
      true,
    ])
    expect(page.lines.length).toBeLessThan(5_300)
  })
})
