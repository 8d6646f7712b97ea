import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSwapper } from './testing/swapper.ts'
import { never, realFolder, type RealFolder } from './testing/real-folder.ts'
import { share } from '../../../shared/testing/runs.ts'
import { onWindows, unless } from '../../../shared/testing/unless.ts'

describe('a file or folder that is swapped for a link while it is read', unless(onWindows), () => {
  let scene: RealFolder
  beforeEach(() => (scene = realFolder()))
  afterEach(() => scene.remove())

  it.each(['a.txt', 'sub'])('%s: is read from inside or not at all', async (name) => {
    mkdirSync(join(scene.around, 'away'))
    for (const file of ['a.txt', 'foreign.txt']) writeFileSync(join(scene.around, 'away', file), 'OUTSIDE\n')
    scene.put('a.txt', 'inside\n')
    scene.put('sub/a.txt', 'inside\n')
    const child = startSwapper(join(scene.folder, name), join(scene.around, 'away', name === 'sub' ? '' : 'a.txt'))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const said = new Set<string>()
    try {
      // Until both were met: the file inside, and the link in its place.
      for (let i = 0; i < share(800) || (said.size < 2 && i < 20_000); i++) {
        const { ok, text, say } = await scene.workspace.readFile({ path: name === 'sub' ? 'sub/a.txt' : name }, never)
        expect(text).not.toContain('OUTSIDE')
        said.add(ok ? 'read' : say)
        expect((await scene.workspace.listFiles({ path: 'sub' }, never)).text).not.toContain('foreign')
        if (i % 50 === 0)
          expect((await scene.workspace.searchText({ text: 'OUTSIDE' }, never)).say).toBe('nothing found')
      }
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    expect(said.size).toBeGreaterThan(1)
  })

  it('a pipe put in a file’s place holds nothing up', async () => {
    execFileSync('mkfifo', [join(scene.folder, 'pipe')])
    symlinkSync('pipe', join(scene.folder, 'a.txt'))
    mkdirSync(join(scene.folder, '.git'))
    execFileSync('mkfifo', [join(scene.folder, '.git', 'commondir')])
    writeFileSync(join(scene.folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    expect(await scene.workspace.readFile({ path: 'a.txt' }, never)).toMatchObject({ ok: false, say: 'not a file' })
    expect(await scene.workspace.searchText({ text: 'x' }, never)).toMatchObject({ ok: true, say: 'nothing found' })
    expect(await scene.workspace.gitStatus(never)).toMatchObject({ ok: false })
  })
})
