import { lstat, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readGoalFile } from './goal-file.ts'

const files = { lstat, realpath, readFile: (path: string) => readFile(path) }
let root: string
let home: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onward-goal-'))
  home = join(root, 'home')
  await mkdir(join(home, 'goals'), { recursive: true })
  await writeFile(join(root, 'outside.md'), 'secret')
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('a goal file', () => {
  it('is read from below the home folder', async () => {
    await writeFile(join(home, 'goals', 'a b.md'), '\uFEFF\n做 it\n\n')
    expect(await readGoalFile(home, 'goals/a b.md', files)).toEqual({ ok: true, text: '做 it' })
  })
  it('is read through links that stay inside, also when the home is a link itself', async () => {
    await writeFile(join(home, 'goals', 'real.md'), 'go')
    await symlink('real.md', join(home, 'goals', 'link.md'))
    await symlink(home, join(root, 'home-link'))
    expect(await readGoalFile(join(root, 'home-link'), 'goals/link.md', files)).toEqual({ ok: true, text: 'go' })
  })
  it('is read at 64 KiB', async () => {
    await writeFile(join(home, 'big.md'), 'x'.repeat(64 * 1024))
    expect(await readGoalFile(home, 'big.md', files)).toMatchObject({ ok: true })
  })
  it.each<[string, string, string]>([
    ['an absolute path', '/etc/passwd', 'bad-path'],
    ['a path that goes up', '../outside.md', 'bad-path'],
    ['a path that goes up in the middle', 'goals/../../outside.md', 'bad-path'],
    ['a link to a file outside', 'file-link.md', 'file-outside'],
    ['a link to a folder outside', 'folder-link/outside.md', 'file-outside'],
    ['a folder with the same beginning', 'sibling-link', 'file-outside'],
    ['a missing file', 'missing.md', 'file-unreadable'],
    ['a folder', 'goals', 'file-unreadable'],
    ['the home itself', '.', 'file-outside'],
    ['an empty file', 'empty.md', 'file-empty'],
    ['a blank file', 'blank.md', 'file-empty'],
    ['a file of more than 64 KiB', 'big.md', 'file-too-large'],
    ['bytes that are no text', 'binary.md', 'file-unreadable'],
  ])('is refused: %s', async (_, path, code) => {
    await symlink(join(root, 'outside.md'), join(home, 'file-link.md'))
    await symlink(root, join(home, 'folder-link'))
    await writeFile(join(root, 'home-too'), 'x')
    await symlink(join(root, 'home-too'), join(home, 'sibling-link'))
    await writeFile(join(home, 'empty.md'), '')
    await writeFile(join(home, 'blank.md'), ' \n')
    await writeFile(join(home, 'big.md'), 'x'.repeat(64 * 1024 + 1))
    await writeFile(join(home, 'binary.md'), Buffer.from([0xff, 0xfe, 0x41]))
    expect(await readGoalFile(home, path, files)).toMatchObject({ ok: false, code })
  })
  it('that grows while it is looked at is refused', async () => {
    const grown = { ...files, readFile: async () => Buffer.alloc(70_000, 0x61) }
    await writeFile(join(home, 'a.md'), 'x')
    expect(await readGoalFile(home, 'a.md', grown)).toMatchObject({ ok: false, code: 'file-too-large' })
  })
})
