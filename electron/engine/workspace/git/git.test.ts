import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changedLines } from '../changed-lines.ts'
import { createWorkspace } from '../create-workspace.ts'
import { never, realFolder, type RealFolder } from '../testing/real-folder.ts'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'

describe('what git says of a folder', () => {
  let scene: RealFolder
  beforeEach(() => {
    scene = realFolder()
    scene.git('init', '-q')
  })
  afterEach(() => scene.remove())
  const commit = (message = 'first') => {
    scene.git('add', '-A')
    scene.git('commit', '-qm', message)
  }

  it('says what changed, and against what', async () => {
    scene.put('src/a.ts', 'one\ntwo\n')
    scene.put('gone.ts', 'x\n')
    commit()
    scene.put('src/a.ts', 'one\n2\nthree\n')
    scene.put('new.ts', 'n\n')
    rmSync(join(scene.folder, 'gone.ts'))
    const { workspace } = scene
    expect(await workspace.gitStatus(never)).toMatchObject({
      ok: true,
      say: '3 changes',
      text: '## main\n D gone.ts\n M src/a.ts\n?? new.ts',
    })
    const diff = await workspace.gitDiff({}, never)
    expect(diff).toMatchObject({ ok: true, what: 'HEAD', say: '2 files, +2 −2' })
    expect(diff.text).toContain('+2 −1\tsrc/a.ts')
    expect(diff.text).toContain('-two\n+2\n+three')
    expect(await workspace.gitDiff({ path: 'src' }, never)).toMatchObject({ what: 'HEAD src', say: '1 file, +2 −1' })
    expect(await workspace.gitDiff({ path: 'gone.ts' }, never)).toMatchObject({ ok: true, say: '1 file, +0 −1' })
    expect(await workspace.gitDiff({ path: 'never.ts' }, never)).toMatchObject({ ok: false, say: 'no such file' })
    expect(await workspace.gitLog({}, never)).toMatchObject({
      ok: true,
      say: '1 commit',
      text: expect.stringMatching(/^[0-9a-f]{7} \d{4}-.+ Ada: first$/),
    })
    expect(readdirSync(join(scene.around, 'scratch'))).toEqual([])
  })

  it('says so where nothing changed, and before the first commit', async () => {
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ ok: true, say: 'no commits' })
    scene.put('a.ts', 'x\n')
    scene.git('add', 'a.ts')
    expect(await scene.workspace.gitDiff({}, never)).toMatchObject({ ok: true, say: '1 file, +1 −0' })
    expect(await scene.workspace.gitStatus(never)).toMatchObject({ text: '## No commits yet on main\nA  a.ts' })
    commit()
    expect(await scene.workspace.gitDiff({}, never)).toMatchObject({ ok: true, say: 'no differences' })
    expect(await scene.workspace.gitStatus(never)).toMatchObject({ say: 'no changes' })
  })

  it('counts lines against the last commit that was there at a time', async () => {
    const lines = (since: number, folder = scene.folder) =>
      changedLines({ folder, runProgram: scene.runProgram }, since, never)
    const at = (iso: string) => Date.parse(iso)
    let parent = ''
    const commitAt = (iso: string) => {
      scene.git('add', '-A')
      // The committer's date, which git takes from the environment alone.
      const tree = scene.git('write-tree').trim()
      const raw = `tree ${tree}\n${parent}author A <a@b> ${Date.parse(iso) / 1000} +0000\ncommitter A <a@b> ${
        Date.parse(iso) / 1000
      } +0000\n\none\n`
      const commit = scene.git('hash-object', '-t', 'commit', '-w', scene.put('../commit', raw)).trim()
      scene.git('update-ref', 'HEAD', commit)
      parent = `parent ${commit}\n`
    }
    scene.put('a.ts', 'one\ntwo\n')
    expect(await lines(0)).toEqual({ files: 0, added: 0, removed: 0 })
    commitAt('2026-01-01T00:00:00Z')
    scene.put('a.ts', 'one\n2\n')
    scene.put('b.ts', 'b\n')
    commitAt('2026-01-03T00:00:00Z')
    scene.put('b.ts', 'b\nc\n')
    scene.put('unknown.ts', 'n\n')
    expect(await lines(at('2025-12-01T00:00:00Z'))).toEqual({ files: 2, added: 4, removed: 0 })
    expect(await lines(at('2026-01-02T00:00:00Z'))).toEqual({ files: 2, added: 3, removed: 1 })
    expect(await lines(at('2026-01-04T00:00:00Z'))).toEqual({ files: 1, added: 1, removed: 0 })
    expect(await lines(0, join(scene.folder, 'gone'))).toBeNull()
    expect(await lines(0, scene.around)).toBeNull()
  })

  it('leaves out what holds secrets, also behind a name that was a file', async () => {
    scene.put('.env', 'TOKEN=old\n')
    scene.put('swap', 'file\n')
    scene.put('key.txt', 'x\n')
    commit()
    scene.put('.env', 'TOKEN=s3cret\n')
    rmSync(join(scene.folder, 'swap'))
    scene.put('swap/.env', 'TOKEN=s3cret\n')
    scene.put('key.txt', `-----BEGIN ${'PRIVATE'} KEY-----\ns3cret\n`)
    scene.git('add', '-A')
    const diff = await scene.workspace.gitDiff({}, never)
    expect(diff.ok).toBe(true)
    expect(diff.text).not.toContain('s3cret')
    expect(diff.text).not.toContain('TOKEN')
    expect(diff.text).toContain('(3 files left out: holding secrets)')
    expect(diff.text).toContain('-file')
    for (const path of ['.env', 'swap/.env', '.git/config'])
      expect(await scene.workspace.gitDiff({ path }, never)).toMatchObject({ ok: false, say: 'holds secrets' })
  })

  it('stays in the folder where the repository is larger', async () => {
    scene.put('in/a.ts', 'one\n')
    scene.put('out.ts', 'one\n')
    commit()
    scene.put('in/a.ts', 'two\n')
    scene.put('out.ts', 'outside\n')
    scene.put('out2.ts', 'outside\n')
    const inner = createWorkspace({
      folder: join(scene.folder, 'in'),
      runProgram: scene.runProgram,
      scratch: join(scene.around, 'scratch'),
    })
    expect(await inner.gitStatus(never)).toMatchObject({ say: '1 change', text: '## main\n M a.ts' })
    const diff = await inner.gitDiff({}, never)
    expect(diff).toMatchObject({ say: '1 file, +1 −1' })
    expect(diff.text).not.toContain('out')
    expect(await inner.listFiles({}, never)).toMatchObject({ text: 'a.ts' })
  })

  it('knows a work tree of its own, a moved repository, and other hashes', async () => {
    scene.put('a.ts', 'one\n')
    commit()
    scene.git('worktree', 'add', '-q', '../tree')
    const tree = createWorkspace({
      folder: join(scene.around, 'tree'),
      runProgram: scene.runProgram,
      scratch: join(scene.around, 'scratch'),
    })
    expect(await tree.gitStatus(never)).toMatchObject({ text: '## tree\nNothing differs from the last commit.' })
    renameSync(join(scene.folder, '.git'), join(scene.around, 'moved'))
    scene.put('.git', `gitdir: ../moved\n`)
    // It has to say itself that this is its work tree: foreign.test.ts.
    scene.git('config', 'core.worktree', scene.folder)
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ ok: true, say: '1 commit' })
    rmSync(join(scene.folder, '.git'))
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ ok: false, say: 'no repository' })
    scene.git('init', '-q', '--object-format=sha256')
    commit()
    scene.put('a.ts', 'two\n')
    expect(await scene.workspace.gitDiff({}, never)).toMatchObject({ ok: true, say: '1 file, +1 −1' })
  })

  it('sees a change of the same size in the same second as the commit', async () => {
    scene.put('a.ts', 'one\n')
    commit()
    scene.put('a.ts', 'two\n')
    expect(await scene.workspace.gitDiff({}, never)).toMatchObject({ say: '1 file, +1 −1' })
  })

  it('keeps to an answer’s length', async () => {
    for (let i = 0; i < 3; i++) scene.put(`big${i}.txt`, 'one\n')
    commit()
    for (let i = 0; i < 3; i++) scene.put(`big${i}.txt`, 'a line of many\n'.repeat(1_500))
    const diff = await scene.workspace.gitDiff({}, never)
    expect(diff.text.length).toBeLessThanOrEqual(24_000)
    expect(diff.text).toContain('without a patch here')
    expect(diff.text).toContain('the rest does not fit')
  })

  it('says so without git, and when it is stopped', async () => {
    const without = createWorkspace({
      folder: scene.folder,
      scratch: join(scene.around, 'scratch'),
      runProgram: async () => ({
        kind: 'not-started',
        exitCode: null,
        stdout: '',
        stderr: '',
        ms: 0,
        problem: 'There is no program “git”.',
      }),
    })
    expect(await without.gitStatus(never)).toMatchObject({
      ok: false,
      text: 'Git can’t be asked: There is no program “git”.',
    })
    scene.put('a.ts', 'x\n')
    expect(await without.listFiles({}, never)).toMatchObject({ ok: true, text: 'a.ts' })
    expect(await scene.workspace.gitDiff({}, AbortSignal.abort())).toMatchObject({
      ok: false,
      text: expect.stringContaining('stopped'),
    })
  })

  it('shows of a link where it leads to, nothing of what is there', unless(onWindows), async () => {
    scene.put('a', 'x\n')
    commit()
    mkdirSync(join(scene.around, 'other'))
    rmSync(join(scene.folder, 'a'))
    symlinkSync('../other', join(scene.folder, 'a'))
    expect((await scene.workspace.gitDiff({}, never)).text).toContain('+../other')
  })
})

describe('what git says of one of many files', () => {
  const names = [
    ['with blank', 'a b.txt'],
    ['with a quote', 'a"b.txt'],
    ['with a line break', 'a\nb.txt'],
    ['like an option', '--output=x'],
    ['of pathspec magic', ':(top)x'],
    ['with a star', '*'],
    ['not ASCII', 'ä→.txt'],
    ['that looks like a header', 'a b/a b'],
  ] as const
  let scene: RealFolder
  const putAll = (content: string) => {
    for (const [, name] of names) scene.put(name, content)
    scene.put('other.txt', content)
  }
  beforeAll(() => {
    scene = realFolder()
    scene.git('init', '-q')
    putAll('one\n')
    scene.git('add', '-A')
    scene.git('commit', '-qm', 'first')
    putAll('two\n')
  })
  afterAll(() => scene.remove())

  it.each(names)('knows a name %s', async (_what, name) => {
    const diff = await scene.workspace.gitDiff({ path: name }, never)
    expect(diff).toMatchObject({ ok: true, say: '1 file, +1 −1' })
    expect(diff.text).toContain('-one\n+two')
    expect(await scene.workspace.gitLog({ path: name }, never)).toMatchObject({ ok: true, say: '1 commit' })
  })
})
