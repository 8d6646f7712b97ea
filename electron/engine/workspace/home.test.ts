import { linkSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from './create-workspace.ts'
import { never, realFolder, type RealFolder } from './testing/real-folder.ts'
import type { Workspace } from './types.ts'
import { onWindows, unless } from '../../../shared/testing/unless.ts'

/** The session's folder is the person's own, `~`, and Onward's home stands in it. */
describe('Onward’s home', unless(onWindows), () => {
  let scene: RealFolder
  let home: string
  beforeEach(() => {
    scene = realFolder()
    home = join(scene.folder, '.onward-of-ada')
    for (const name of ['notes.md', 'goals/big.md']) scene.put(`.onward-of-ada/${name}`, 'OWN\n')
    scene.put('mine.md', 'mine\n')
  })
  afterEach(() => scene.remove())
  const looksAt = (folder: string, closed = [home]): Workspace =>
    createWorkspace({ folder, closed, runProgram: scene.runProgram, scratch: join(scene.around, 'scratch') })

  async function textsOf(workspace: Workspace, paths: readonly string[]): Promise<string> {
    const texts = [
      (await workspace.searchText({ text: 'OWN' }, never)).text.replace(/^No line .*/, ''),
      (await workspace.listFiles({}, never)).text,
      (await workspace.gitDiff({}, never)).text,
      (await workspace.gitLog({}, never)).text,
    ]
    for (const path of paths)
      texts.push(
        (await workspace.readFile({ path }, never)).text,
        (await workspace.listFiles({ path }, never)).text,
        (await workspace.searchText({ text: 'OWN', path }, never)).text.replace(/^No line .*/, ''),
        (await workspace.gitDiff({ path }, never)).text,
      )
    return texts.join('\n')
  }
  const ways = ['.onward-of-ada', '.onward-of-ada/notes.md', '.onward-of-ada/goals', '.onward-of-ada/goals/big.md']

  it('is not seen from a folder that holds it', async () => {
    const workspace = looksAt(scene.folder)
    expect(await textsOf(workspace, ways)).not.toContain('OWN')
    expect((await workspace.listFiles({}, never)).text).toBe('.onward-of-ada/\nmine.md')
    expect(await workspace.readFile({ path: '.onward-of-ada/notes.md' }, never)).toMatchObject({
      ok: false,
      say: 'Onward’s own',
      text: expect.stringContaining('Onward’s own home'),
    })
    expect(await workspace.exists('.onward-of-ada/notes.md')).toBe(false)
    expect(await workspace.readFile({ path: 'mine.md' }, never)).toMatchObject({ ok: true })
  })

  it('is not seen by links, of either kind, nor where it is one itself', async () => {
    symlinkSync('.onward-of-ada', join(scene.folder, 'link'))
    symlinkSync('.onward-of-ada/notes.md', join(scene.folder, 'link.md'))
    linkSync(join(home, 'notes.md'), join(scene.folder, 'hard.md'))
    const others = ['link', 'link/notes.md', 'link.md', 'hard.md']
    expect(await textsOf(looksAt(scene.folder), others)).not.toContain('OWN')
    renameSync(home, join(scene.folder, 'kept'))
    symlinkSync('kept', home)
    expect(await textsOf(looksAt(scene.folder), [...others, 'kept', 'kept/notes.md'])).not.toContain('OWN')
  })

  it('is not seen from itself or below', async () => {
    for (const folder of [home, join(home, 'goals')])
      expect(await textsOf(looksAt(folder), ['notes.md', 'big.md', 'goals', '.'])).not.toMatch(/OWN|big\.md$/m)
  })

  it('is not seen where git tracks it, or did', async () => {
    scene.git('init', '-q')
    scene.git('add', '-A')
    scene.git('commit', '-qm', 'first')
    scene.put('.onward-of-ada/notes.md', 'OWN second\n')
    scene.put('mine.md', 'mine second\n')
    const diff = await looksAt(scene.folder).gitDiff({}, never)
    expect(diff.text).toContain('+mine second')
    expect(diff.text).toContain('1 file left out')
    expect(await textsOf(looksAt(scene.folder), ways)).not.toContain('OWN')
    expect(await looksAt(home).gitStatus(never)).toMatchObject({ ok: false, say: 'Onward’s own' })
    expect(await looksAt(home).gitLog({}, never)).toMatchObject({ ok: false, say: 'Onward’s own' })
  })

  it('may not be there yet', async () => {
    const later = join(realpathSync(scene.around), 'later')
    const workspace = looksAt(scene.around, [later])
    expect(await workspace.readFile({ path: 'project/mine.md' }, never)).toMatchObject({ ok: true })
    mkdirSync(later)
    writeFileSync(join(later, 'a.md'), 'OWN\n')
    expect(await workspace.readFile({ path: 'later/a.md' }, never)).toMatchObject({ ok: false, say: 'Onward’s own' })
  })
})
