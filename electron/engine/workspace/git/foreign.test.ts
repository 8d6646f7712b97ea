import { cpSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../create-workspace.ts'
import { never, realFolder, type RealFolder } from '../testing/real-folder.ts'
import type { Workspace } from '../types.ts'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'

const notRoot = process.getuid?.() === 0 ? null : 'only root can give a file to another user'

/**
 * The author of the folder's files controls where `.git` points. Here another repository of the person is next to the
 * session's folder, and its last commit and files must not be seen by any of it.
 */
describe('a repository that leads to another one', unless(onWindows), () => {
  let first: RealFolder
  let headOfOther: string
  beforeAll(() => {
    first = realFolder()
    const inFirst = (...args: string[]) => first.git('-C', '../other', ...args)
    first.put('../other/plan.txt', 'OTHER text\n')
    inFirst('init', '-q')
    inFirst('add', '.')
    inFirst('commit', '-qm', 'OTHER first')
    first.put('../other/plan.txt', 'OTHER text, second\n')
    inFirst('commit', '-qam', 'OTHER second')
    headOfOther = inFirst('rev-parse', 'HEAD').trim()
    first.put('plan.txt', 'mine\n')
  })
  afterAll(() => first.remove())
  let scene: RealFolder
  let other: string
  beforeEach(() => {
    scene = realFolder(first)
    other = join(scene.around, 'other')
  })
  afterEach(() => scene.remove())

  const inOther = (...args: string[]) => scene.git('-C', other, ...args)
  const at = (...parts: string[]) => join(scene.folder, ...parts)
  /** A repository of the folder's own whose HEAD is a commit of the other one. */
  const ownWithForeignHead = (gitDir = '.git') => {
    scene.git('init', '-q')
    if (gitDir !== '.git') renameSync(at('.git'), at(gitDir))
    writeFileSync(at(gitDir, 'HEAD'), `${headOfOther}\n`)
  }

  const attacks: Readonly<Record<string, () => void>> = {
    'a file .git that names it': () => scene.put('.git', `gitdir: ${other}/.git\n`),
    'a relative name in a file .git': () => scene.put('.git', 'gitdir: ../other/.git'),
    'a link .git': () => symlinkSync('../other/.git', at('.git')),
    'commondir in a folder .git': () => {
      scene.put('.git/HEAD', 'ref: refs/heads/main\n')
      scene.put('.git/commondir', '../../other/.git\n')
    },
    'a work tree’s directory that another one has': () => {
      inOther('worktree', 'add', '-q', '../third')
      scene.put('.git', `gitdir: ${other}/.git/worktrees/third\n`)
    },
    'a work tree’s directory made up in the folder': () => {
      scene.put('fake/worktrees/x/HEAD', `${headOfOther}\n`)
      scene.put('fake/worktrees/x/commondir', `${other}/.git\n`)
      scene.put('fake/worktrees/x/gitdir', `${at('.git')}\n`)
      scene.put('.git', 'gitdir: fake/worktrees/x\n')
    },
    'a work tree’s directory made up beside it, objects and all': () => {
      const fake = join(scene.around, 'fake')
      mkdirSync(join(fake, 'worktrees', 'x'), { recursive: true })
      for (const [name, text] of [
        ['HEAD', headOfOther],
        ['commondir', '../..'],
        ['gitdir', at('.git')],
      ] as const)
        writeFileSync(join(fake, 'worktrees', 'x', name), `${text}\n`)
      symlinkSync('../other/.git/objects', join(fake, 'objects'))
      mkdirSync(join(fake, 'refs'))
      scene.put('.git', `gitdir: ../fake/worktrees/x\n`)
    },
    'a submodule’s directory that names another folder': () => {
      inOther('config', 'core.worktree', '../../elsewhere')
      scene.put('.git', `gitdir: ../other/.git\n`)
    },
    alternates: () => {
      ownWithForeignHead()
      scene.put('.git/objects/info/alternates', `${other}/.git/objects\n`)
    },
    'relative alternates': () => {
      ownWithForeignHead()
      scene.put('.git/objects/info/alternates', '../../../other/.git/objects\n')
    },
    'quoted alternates': () => {
      ownWithForeignHead()
      scene.put('.git/objects/info/alternates', `"${other}/.git/objects"\n`)
    },
    'alternates of alternates': () => {
      ownWithForeignHead()
      scene.put('.git/objects/info/alternates', `${at('more')}\n`)
      scene.put('more/info/alternates', `${other}/.git/objects\n`)
    },
    'objects that are a link': () => {
      ownWithForeignHead()
      rmSync(at('.git/objects'), { recursive: true })
      symlinkSync('../../other/.git/objects', at('.git/objects'))
    },
    'packs that are a link': () => {
      inOther('repack', '-qad')
      ownWithForeignHead()
      rmSync(at('.git/objects/pack'), { recursive: true })
      symlinkSync('../../../other/.git/objects/pack', at('.git/objects/pack'))
    },
    'packs of links': () => {
      inOther('repack', '-qad')
      ownWithForeignHead()
      for (const name of readdirSync(join(other, '.git/objects/pack')))
        symlinkSync(`../../../../other/.git/objects/pack/${name}`, at('.git/objects/pack', name))
    },
    'folders of objects that are links': () => {
      ownWithForeignHead()
      for (const name of readdirSync(join(other, '.git/objects')).filter((one) => one.length === 2))
        symlinkSync(`../../../other/.git/objects/${name}`, at('.git/objects', name))
    },
    'objects that are links, each': () => {
      ownWithForeignHead()
      for (const name of readdirSync(join(other, '.git/objects')).filter((one) => one.length === 2)) {
        mkdirSync(at('.git/objects', name))
        for (const object of readdirSync(join(other, '.git/objects', name)))
          symlinkSync(join(other, '.git/objects', name, object), at('.git/objects', name, object))
      }
    },
    'all of that in a repository below': () => {
      ownWithForeignHead('inner')
      scene.put('inner/objects/info/alternates', `${other}/.git/objects\n`)
      scene.put('.git', 'gitdir: inner\n')
    },
  }

  const allLooks = async (workspace: Workspace) => [
    await workspace.gitStatus(never),
    await workspace.gitDiff({}, never),
    await workspace.gitDiff({ path: 'plan.txt' }, never),
    await workspace.gitLog({}, never),
    await workspace.gitLog({ path: 'plan.txt' }, never),
  ]

  it.each(Object.keys(attacks))('shows nothing of it: %s', async (name) => {
    attacks[name]?.()
    const found = await allLooks(scene.workspace)
    for (const { text } of found) expect(text).not.toContain('OTHER')
    expect(found.map(({ ok }) => ok)).not.toContain(true)
    // The disk says what is there.
    expect((await scene.workspace.listFiles({}, never)).text).toContain('plan.txt')
    expect((await scene.workspace.searchText({ text: 'mine' }, never)).text).toContain('plan.txt:1: mine')
  })

  it('says what mends it', async () => {
    attacks['a file .git that names it']?.()
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({
      say: 'another’s repository',
      text: expect.stringContaining('git worktree repair'),
    })
    rmSync(at('.git'))
    attacks.alternates?.()
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ text: expect.stringContaining('alternates') })
  })

  describe('is not seen in one that', () => {
    const commit = (...where: string[]) => {
      scene.git(...where, 'add', '-A')
      scene.git(...where, 'commit', '-qm', 'mine first')
    }
    const says = async (folder: string) =>
      (await looksAt(folder).gitLog({}, never)).text.replaceAll(/^\S+ \S+ Ada: /gm, '')
    const looksAt = (folder: string) =>
      createWorkspace({ folder, runProgram: scene.runProgram, scratch: join(scene.around, 'scratch') })

    it('is a work tree, also of a submodule and with relative links', async () => {
      scene.git('init', '-q')
      commit()
      scene.git('worktree', 'add', '-q', '../tree')
      const tree = join(scene.around, 'tree')
      expect(await says(tree)).toBe('mine first')
      writeFileSync(at('.git/worktrees/tree/gitdir'), '../../../../tree/.git\n')
      expect(await says(tree)).toBe('mine first')
      renameSync(tree, join(scene.around, 'moved'))
      expect(await says(join(scene.around, 'moved'))).toContain('does not name this folder')
      scene.git('worktree', 'repair', '../moved')
      expect(await says(join(scene.around, 'moved'))).toBe('mine first')
    })

    it('is a submodule', async () => {
      scene.git('init', '-q')
      scene.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'sub')
      expect(await says(at('sub'))).toBe('OTHER second\nOTHER first')
      scene.git('-C', 'sub', 'worktree', 'add', '-q', join(scene.around, 'subtree'))
      expect(await says(join(scene.around, 'subtree'))).toBe('OTHER second\nOTHER first')
    })

    it('is bare in the folder, with work trees beside it', async () => {
      scene.git('init', '-q')
      commit()
      scene.git('clone', '-q', '--bare', '.', '.bare')
      scene.git('--git-dir=.bare', 'worktree', 'add', '-q', 'feature')
      expect(await says(at('feature'))).toBe('mine first')
    })

    it('was moved away and says where its work tree is', async () => {
      scene.git('init', '-q', `--separate-git-dir=${join(scene.around, 'kept')}`)
      commit()
      expect(await says(scene.folder)).toContain('core.worktree')
      scene.git('config', 'core.worktree', scene.folder)
      expect(await says(scene.folder)).toBe('mine first')
    })

    it('has alternates of its own below, packed and not', async () => {
      scene.git('init', '-q')
      commit()
      cpSync(at('.git/objects'), at('store'), { recursive: true })
      rmSync(at('.git/objects'), { recursive: true })
      mkdirSync(at('.git/objects/info'), { recursive: true })
      writeFileSync(at('.git/objects/info/alternates'), `# a note\n${at('nowhere')}\n../../store\n`)
      expect(await says(scene.folder)).toBe('mine first')
      scene.git('repack', '-qad')
      expect(await says(scene.folder)).toBe('mine first')
    })

    it('was cloned here, with hard links for its objects', async () => {
      scene.git('clone', '-q', '../other', 'clone')
      expect(await says(at('clone'))).toBe('OTHER second\nOTHER first')
      expect(realpathSync(at('clone/.git'))).toBe(at('clone/.git'))
    })
  })

  it('is not taken from another user of the machine', unless(notRoot), async () => {
    // As in /tmp, where anybody can make a .git.
    scene.git('init', '-q', '..')
    scene.git('-C', '..', 'commit', '-q', '--allow-empty', '-m', 'OTHER')
    execFileSync('chown', ['-R', '65534:65534', join(scene.around, '.git')])
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ ok: false, say: 'another’s repository' })
    // The owner of the folder may own its repository, too.
    execFileSync('chown', ['65534:65534', scene.folder])
    expect(await scene.workspace.gitLog({}, never)).toMatchObject({ ok: true })
  })
})
