import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { share } from '../../../shared/testing/runs.ts'
import { onWindows, unless } from '../../../shared/testing/unless.ts'
import { startSwapper } from './testing/swapper.ts'
import { readBelow } from './read-below.ts'

describe('a file below a folder', unless(onWindows), () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'onward-below-')))
    for (const folder of ['top/sub', 'away']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'top', 'sub', 'a.md'), 'inside')
    writeFileSync(join(root, 'away', 'a.md'), 'OUTSIDE')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const reaches = process.platform === 'linux' ? (['by-descriptor', 'by-name'] as const) : (['by-name'] as const)

  it.each(
    [
      ['by-descriptor', 'sub'] as const,
      ['by-descriptor', 'sub/a.md'] as const,
      // By name, the swap of a folder on the way can't be detected for certain: it has no row here.
      ['by-name', 'sub/a.md'] as const,
    ].filter(([reach]) => reaches.some((one) => one === reach)),
  )('that is swapped for a link while it is read is read from inside or not at all: %s, %s', async (reach, name) => {
    const away = join(root, 'away', ...name.split('/').slice(1))
    const child = startSwapper(join(root, 'top', name), away)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const met = new Set<string>()
    try {
      // Until both were met: the file inside, and the link in its place.
      for (let i = 0; i < share(2_000) || (!(met.has('read') && met.size > 1) && i < 40_000); i++) {
        const found = await readBelow(join(root, 'top'), ['sub', 'a.md'], 100, reach).catch(() => null)
        if (found?.kind === 'read') expect(found.bytes.toString()).toBe('inside')
        met.add(found?.kind ?? 'missing')
      }
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    expect(met).toContain('read')
    expect(met.size).toBeGreaterThan(1)
  })
  it.each(reaches)('that grew beyond what may be read is refused: %s', async (reach) => {
    expect(await readBelow(join(root, 'top'), ['sub', 'a.md'], 6, reach)).toMatchObject({ kind: 'read' })
    expect(await readBelow(join(root, 'top'), ['sub', 'a.md'], 5, reach)).toEqual({ kind: 'too-large' })
  })
})
