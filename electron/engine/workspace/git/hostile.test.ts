import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { never, realFolder, type RealFolder } from '../testing/real-folder.ts'
import { stateOfFolder } from '../testing/state-of-folder.ts'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'

/**
 * A repository whose config, attributes, hooks and submodule name programs in every place git knows; each would leave a
 * file as a trace. The agent can write all of it, and git must run none of it when Onward looks.
 */
describe('a repository that wants to run programs', unless(onWindows), () => {
  let scene: RealFolder
  let traps: string
  const trapOf = (name: string) => join(scene.around, `trap-${name}`)
  const sprung = () => readdirSync(traps).toSorted()

  beforeEach(() => {
    scene = realFolder()
    traps = join(scene.around, 'sprung')
    mkdirSync(traps)
    hostile()
  })
  afterEach(() => scene.remove())

  /** A program that says it ran. None reads its input: the two of them would wait for each other. */
  function trap(name: string): string {
    writeFileSync(trapOf(name), `#!/bin/sh\ntouch '${join(traps, name)}'\nexit 1\n`)
    chmodSync(trapOf(name), 0o755)
    return trapOf(name)
  }

  function hostile(): void {
    const { put, git } = scene
    git('init', '-q')
    put('a.txt', 'a one\n')
    put('b.cnv', 'b one\n')
    put('c.ext', 'c one\n')
    put('lost.md', 'lost one\n')
    git('add', '.')
    git('-c', 'commit.gpgSign=false', 'commit', '-qm', 'first')
    mkdirSync(join(scene.folder, 'sub'))
    git('-C', 'sub', 'init', '-q')
    put('sub/s.txt', 'one\n')
    git('-C', 'sub', 'add', '.')
    git('-C', 'sub', 'commit', '-qm', 'inner')
    git('add', 'sub')
    git('commit', '-qm', 'second')
    put('.gitattributes', '*.txt filter=evil\n*.cnv diff=evil\n')
    put('a.txt', 'two\n')
    put('b.cnv', 'two\n')
    put('c.ext', 'two\n')
    put('sub/s.txt', 'two\n')
    put('new.txt', 'new\n')
    for (const name of readdirSync(join(scene.folder, '.git', 'hooks')))
      rmSync(join(scene.folder, '.git', 'hooks', name))
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-checkout']) {
      put(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${join(traps, `hook-${hook}`)}'\n`)
      chmodSync(join(scene.folder, '.git', 'hooks', hook), 0o755)
    }
    // by hand: fifty gits would take longer than the looks
    const set = (key: string, value: string, file = '.git/config') => {
      const [, section = '', below, name = ''] = /^(\w+)(?:\.(.+))?\.([\w-]+)$/.exec(key) ?? []
      appendFileSync(
        join(scene.folder, file),
        `[${section}${below === undefined ? '' : ` "${below}"`}]\n\t${name} = "${value}"\n`,
      )
    }
    set('core.fsmonitor', trap('included-fsmonitor'), '.git/modules-inner')
    set('core.fsmonitor', trap('submodule-fsmonitor'), 'sub/.git/config')
    set('core.fsmonitor', trap('fsmonitor'))
    set('filter.evil.clean', trap('clean'))
    set('filter.evil.smudge', trap('smudge'))
    set('filter.evil.process', trap('process'))
    set('filter.evil.required', 'true')
    set('diff.evil.textconv', trap('textconv'))
    set('diff.evil.command', trap('diff-command'))
    set('diff.external', trap('diff-external'))
    set('core.pager', trap('pager'))
    for (const command of ['status', 'diff', 'log', 'ls-files', 'rev-parse', 'config', 'symbolic-ref'])
      set(`pager.${command}`, trap('pager'))
    for (const command of ['status', 'diff', 'log']) set(`alias.${command}`, `!${trap('alias')}`)
    set('core.editor', trap('editor'))
    set('core.askPass', trap('askpass'))
    set('core.sshCommand', trap('ssh'))
    set('core.gitProxy', trap('proxy'))
    set('core.alternateRefsCommand', trap('alternates'))
    set('credential.helper', trap('credential'))
    set('gpg.program', trap('gpg'))
    set('log.showSignature', 'true')
    set('commit.gpgSign', 'true')
    set('extensions.partialClone', 'origin')
    set('core.repositoryFormatVersion', '1')
    set('remote.origin.promisor', 'true')
    set('remote.origin.url', scene.folder)
    set('remote.origin.uploadpack', trap('uploadpack'))
    set('protocol.allow', 'always')
    set('core.worktree', scene.around)
    // the last word counts
    set('include.path', 'modules-inner')
  }

  /** A promisor remote would be asked for it, with a program of its choice. */
  function loseAnObject(): void {
    const lost = scene.git('rev-parse', 'HEAD:lost.md').trim()
    rmSync(join(scene.folder, '.git', 'objects', lost.slice(0, 2), lost.slice(2)))
    scene.put('lost.md', 'two\n')
  }

  /** The same questions asked without care: what the traps are worth. */
  function askCarelessly(): void {
    for (const args of [
      ['status'],
      ['diff', '--no-ext-diff', '--', 'a.txt'],
      ['diff', '--no-ext-diff', '--', 'b.cnv'],
      ['diff', '--', 'b.cnv'],
      ['diff', 'HEAD'],
      ['log', '--patch'],
    ]) {
      try {
        scene.git(`--work-tree=${scene.folder}`, ...args)
      } catch {
        // the traps make some of them fail
        continue
      }
    }
  }

  it('runs its programs when it is asked without care', () => {
    askCarelessly()
    loseAnObject()
    askCarelessly()
    expect(sprung()).toEqual(
      expect.arrayContaining([
        'diff-command',
        'hook-post-index-change',
        'included-fsmonitor',
        'process',
        'submodule-fsmonitor',
        'textconv',
        'uploadpack',
      ]),
    )
  })

  it('runs nothing when the workspace looks at it, and changes nothing', async () => {
    const { workspace } = scene
    const before = stateOfFolder(scene.folder)
    const found = [
      await workspace.gitStatus(never),
      await workspace.gitDiff({}, never),
      await workspace.gitDiff({ path: 'a.txt' }, never),
      await workspace.gitDiff({ path: 'b.cnv' }, never),
      await workspace.gitDiff({ path: 'c.ext' }, never),
      await workspace.gitLog({}, never),
      await workspace.gitLog({ path: 'a.txt' }, never),
      await workspace.listFiles({}, never),
      await workspace.searchText({ text: 'two' }, never),
    ]
    expect(sprung()).toEqual([])
    expect(stateOfFolder(scene.folder)).toEqual(before)
    expect(found.map(({ ok, say, text }) => (ok ? say : text))).toEqual([
      '5 changes',
      '3 files, +3 −3',
      '1 file, +1 −1',
      '1 file, +1 −1',
      '1 file, +1 −1',
      '2 commits',
      '1 commit',
      '7 names',
      '3 lines in 3 files',
    ])
  })

  it('fetches nothing that is missing', async () => {
    loseAnObject()
    expect(await scene.workspace.gitDiff({ path: 'lost.md' }, never)).toMatchObject({ ok: false, say: 'git failed' })
    expect(await scene.workspace.gitLog({ path: 'lost.md' }, never)).toMatchObject({ ok: true })
    expect(sprung()).toEqual([])
  })
})
