import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { never, realFolder, type RealFolder } from '../testing/real-folder.ts'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'
import { whatGitSays } from './what-git-says.ts'

describe('why git failed', () => {
  it.each([
    ['fatal: bad object 2f1c…\n', 'it says “bad object …”.'],
    ['warning: x\nfatal: unexpected line in .git/packed-refs: password s3cret', 'it says “unexpected line in …”.'],
    ['error: bad shallow line: s3cret\n', 'it says “bad shallow line …”.'],
    ["fatal: bad numeric config value 's3cret' for 'core.x'", 'it ended with exit code 128.'],
    ['s3cret', 'it ended with exit code 128.'],
    ['', 'it ended with exit code 128.'],
  ])('is told without what stands in a file: %j', (stderr, said) => {
    expect(whatGitSays({ stderr, exitCode: 128 })).toBe(said)
  })

  describe('of a repository whose own files are others', unless(onWindows), () => {
    let first: RealFolder
    beforeAll(() => {
      first = realFolder()
      first.put('a.txt', 'one\n')
      first.git('init', '-q')
      first.git('add', '-A')
      first.git('commit', '-qm', 'first')
      writeFileSync(join(first.around, 'login'), 'machine example.org password s3cret\n')
    })
    afterAll(() => first.remove())
    let scene: RealFolder
    beforeEach(() => (scene = realFolder(first)))
    afterEach(() => scene.remove())

    it.each(['packed-refs', 'shallow', 'refs/heads/main', 'HEAD', 'config', 'info/exclude', 'index', 'commondir'])(
      'shows nothing of what is in them: %s',
      async (name) => {
        for (const link of [linkSync, symlinkSync]) {
          scene.put(`.git/${name}`)
          const path = join(scene.folder, '.git', name)
          rmSync(path, { force: true })
          link(join(scene.around, 'login'), path)
          const { workspace } = scene
          const found = [
            await workspace.gitStatus(never),
            await workspace.gitDiff({}, never),
            await workspace.gitLog({}, never),
            await workspace.listFiles({}, never),
          ]
          expect(found.map(({ text }) => text).join('\n')).not.toMatch(/s3cret|machine/)
        }
      },
    )
  })
})
