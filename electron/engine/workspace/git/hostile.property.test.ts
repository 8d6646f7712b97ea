import { execFileSync } from 'node:child_process'
import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../create-workspace.ts'
import { never, realFolder, type RealFolder } from '../testing/real-folder.ts'
import { stateOfFolder } from '../testing/state-of-folder.ts'
import type { RunProgram } from '../types.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'

/** Git would wait for ever here: for a pipe that no process writes to. */
const gitWaitsMs = 1_500
const sparse = 64 * 1024 * 1024

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const inGit = words(`
  HEAD config config.worktree index packed-refs shallow commondir gitdir refs info refs/heads/main info/exclude
  info/attributes info/grafts hooks worktrees modules objects objects/pack objects/pack/pack-1.idx objects/info
  objects/info/alternates objects/info/commit-graph objects/info/http-alternates objects/LOOSE objects/LOOSE/OBJECT`)
const inTree = words(`
  a.txt src src/b.txt .gitignore src/.gitignore .gitattributes src/.gitattributes .gitmodules sub sub/.git .git new.txt
  .mailmap .onward.json`)
const links = words('OTHERGIT OTHERGIT/objects OTHERGIT/SAME OTHERTOP OUTSIDEFILE /dev/zero nowhere . /')
const texts = [
  'gitdir: OTHERGIT\n',
  'OTHERGIT\n',
  'OTHERGIT/objects\n',
  'ref: refs/heads/main\n',
  '../../other/.git\n',
  'HEADOFOTHER\n',
  '[core]\n\tworktree = OTHERTOP\n',
  '[include]\n\tpath = OUTSIDEFILE\n',
  '[core]\n\texcludesFile = OUTSIDEFILE\n',
  '*\n',
  '* diff=x filter=x\n',
  '[submodule "sub"]\n\tpath = sub\n\turl = OTHERTOP\n',
  '\0\0\0',
  '',
] as const

const blow = fc.record({
  at: fc.oneof(
    fc.constantFrom(...inGit).map((name) => `.git/${name}`),
    fc.constantFrom(...inTree),
  ),
  is: fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom(...texts) }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('link' as const), to: fc.constantFrom(...links) }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'second name' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'pipe' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'folder' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'huge' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'nothing' as const }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: 'bytes' as const, bytes })) },
  ),
})

describe('whatever stands in a folder and its .git', unless(onWindows), () => {
  let scene: RealFolder
  beforeEach(() => (scene = realFolder()))
  afterEach(() => scene.remove())

  it(
    'a look ends, changes nothing, and shows neither another repository nor a file outside',
    { timeout: 900_000 },
    async () => {
      const other = join(scene.around, 'other')
      const outside = join(scene.around, 'outside.txt')
      writeFileSync(outside, 'OUTSIDE text\n')
      mkdirSync(other)
      writeFileSync(join(other, 'a.txt'), 'OTHER text\n')
      scene.git('-C', other, 'init', '-q')
      scene.git('-C', other, 'add', '-A')
      scene.git('-C', other, 'commit', '-qm', 'OTHER commit')
      const headOfOther = scene.git('-C', other, 'rev-parse', 'HEAD').trim()
      const spelled = (text: string, same: string) =>
        text
          .replaceAll('OTHERGIT', `${other}/.git`)
          .replaceAll('OTHERTOP', other)
          .replaceAll('OUTSIDEFILE', outside)
          .replaceAll('HEADOFOTHER', headOfOther)
          .replaceAll('SAME', same.replace(/^\.git\//, ''))

      const runProgram: RunProgram = (start, signal) =>
        scene.runProgram({ ...start, timeoutMs: Math.min(start.timeoutMs, gitWaitsMs) }, signal)
      const made = join(scene.folder, 'made')
      mkdirSync(join(made, 'src'), { recursive: true })
      for (const name of ['a.txt', 'src/b.txt', '.gitignore']) writeFileSync(join(made, name), 'mine\n')
      scene.git('-C', made, 'init', '-q')
      scene.git('-C', made, 'add', '-A')
      scene.git('-C', made, 'commit', '-qm', 'mine')
      const head = scene.git('-C', made, 'rev-parse', 'HEAD').trim()
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(blow, { minLength: 1, maxLength: 6 }), async (blows) => {
          const folder = join(scene.folder, `r${round++}`)
          cpSync(made, folder, { recursive: true })
          writeFileSync(join(folder, 'a.txt'), 'mine, changed\n')
          for (const { at, is } of blows) {
            const name = at.replace('LOOSE', head.slice(0, 2)).replace('OBJECT', head.slice(2))
            strike(folder, name, is, (text) => spelled(text, name))
          }
          const before = stateOfFolder(folder)
          const workspace = createWorkspace({ folder, runProgram, scratch: join(scene.around, 'scratch') })
          const found = [
            await workspace.gitStatus(never),
            await workspace.gitDiff({}, never),
            await workspace.gitDiff({ path: 'a.txt' }, never),
            await workspace.gitLog({}, never),
            await workspace.listFiles({}, never),
            await workspace.searchText({ text: 'text' }, never),
          ]
          for (const path of inTree) found.push(await workspace.readFile({ path }, never))
          for (const { text } of found) expect(text).not.toMatch(/OTHER|OUTSIDE/)
          expect(stateOfFolder(folder)).toEqual(before)
          expect(readdirSync(join(scene.around, 'scratch'))).toEqual([])
          rmSync(folder, { recursive: true, force: true })
        }),
        runs(100),
      )
    },
  )

  type Blow = typeof blow extends fc.Arbitrary<{ at: string; is: infer I }> ? I : never

  /** Nothing is made through a link; what is in the way goes first. */
  function strike(folder: string, at: string, is: Blow, spelled: (text: string) => string): void {
    const path = join(folder, at)
    for (const [i] of at.split('/').slice(1).entries()) {
      const above = at.split('/').slice(0, i + 1)
      const stat = lstatSync(join(folder, ...above), { throwIfNoEntry: false })
      if (stat === undefined) break
      if (!stat.isDirectory()) return
    }
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { recursive: true, force: true })
    switch (is.kind) {
      case 'text':
        return writeFileSync(path, spelled(is.text))
      case 'bytes':
        return writeFileSync(path, is.bytes)
      case 'link':
        return symlinkSync(spelled(is.to), path)
      case 'second name':
        return linkSync(join(scene.around, 'outside.txt'), path)
      case 'pipe':
        return void execFileSync('mkfifo', [path])
      case 'folder':
        return void mkdirSync(path)
      case 'huge':
        writeFileSync(path, '')
        return truncateSync(path, sparse)
      case 'nothing':
        return
    }
  }
})
