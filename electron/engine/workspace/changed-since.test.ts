import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changedSince } from './changed-since.ts'
import { never, realFolder, type RealFolder } from './testing/real-folder.ts'
import { onWindows, unless } from '../../../shared/testing/unless.ts'

describe('whether something changed in a folder', () => {
  let scene: RealFolder
  beforeEach(() => (scene = realFolder()))
  afterEach(() => scene.remove())
  const hour = 3_600_000
  const later = () => Date.now() + hour

  it('sees what is newer than the instant, and nothing that is older', async () => {
    scene.put('src/deep/a.ts', 'x')
    expect(await changedSince(scene.folder, Date.now() - hour, never)).toBe(true)
    expect(await changedSince(scene.folder, later(), never)).toBe(false)
  })

  it.each(['.git', 'node_modules', 'dist', 'target', '__pycache__'])('does not look into %s', async (name) => {
    const at = new Date(Date.now() + 2 * hour)
    utimesSync(scene.put(`${name}/x`), at, at)
    utimesSync(join(scene.folder, name), at, at)
    expect(await changedSince(scene.folder, later(), never)).toBe(false)
  })

  it.each(['src/deep/a.ts', 'src/deep', 'src'])('sees %s by its own time', async (name) => {
    scene.put('src/deep/a.ts')
    const at = new Date(Date.now() + 2 * hour)
    utimesSync(join(scene.folder, name), at, at)
    expect(await changedSince(scene.folder, later(), never)).toBe(true)
  })

  it('does not follow links, and what is behind them is not in the folder', async () => {
    const at = new Date(Date.now() + 2 * hour)
    mkdirSync(join(scene.around, 'other'))
    utimesSync(join(scene.around, 'other'), at, at)
    symlinkSync(join(scene.around, 'other'), join(scene.folder, 'link'))
    expect(await changedSince(scene.folder, later(), never)).toBe(false)
  })

  it('counts what nobody saw as changed', async () => {
    expect(await changedSince(join(scene.around, 'nowhere'), later(), never)).toBe(true)
    expect(await changedSince(scene.folder, later(), AbortSignal.abort())).toBe(true)
    for (let i = 0; i < 10; i++) scene.put(`many/${i}`)
    expect(await changedSince(scene.folder, later(), never, 10)).toBe(true)
    expect(await changedSince(scene.folder, later(), never, 11)).toBe(false)
  })

  it('sees a change of mode, which leaves the content’s time', unless(onWindows), async () => {
    const file = scene.put('a.sh')
    const before = Date.now() - hour
    const old = new Date(before - hour)
    chmodSync(file, 0o755)
    utimesSync(file, old, old)
    utimesSync(scene.folder, old, old)
    expect(await changedSince(scene.folder, before, never)).toBe(true)
  })
})
