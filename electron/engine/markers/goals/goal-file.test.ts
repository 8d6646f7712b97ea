import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'
import { readBelow } from '../../workspace/read-below.ts'
import { readGoalFile } from './goal-file.ts'

let root: string
let home: string
let work: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'onward-goal-')))
  home = join(root, 'home')
  work = join(root, 'work')
  await mkdir(join(home, 'goals', 'deep'), { recursive: true })
  await mkdir(join(work, '.onward', 'goals'), { recursive: true })
  await writeFile(join(home, 'control-token'), 'SECRET-TOKEN')
  await writeFile(join(root, 'outside.md'), 'SECRET outside')
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Both ways of reaching a file, whatever system this runs on. */
const reaches =
  onWindows === null && process.platform === 'linux' ? (['by-descriptor', 'by-name'] as const) : (['by-name'] as const)

describe.each(reaches)('a goal file, reached %s', (reach) => {
  const look = (path: string, folders: { home: string; session: string | null } = { home, session: work }) =>
    readGoalFile(folders, path, (top, parts, most) => readBelow(top, parts, most, reach))

  it('is read from goals/ in the home, and from .onward/goals/ in the session’s folder', async () => {
    await writeFile(join(home, 'goals', 'deep', 'a b.md'), '\uFEFF\n做 it\n\n')
    await writeFile(join(work, '.onward', 'goals', 'own.md'), 'ship it')
    expect(await look('goals/deep/a b.md')).toEqual({ ok: true, text: '做 it' })
    expect(await look('./goals//deep/./a b.md')).toEqual({ ok: true, text: '做 it' })
    expect(await look('.onward/goals/own.md')).toEqual({ ok: true, text: 'ship it' })
  })
  it('is read when home or folder are links themselves: the person put them there', async () => {
    await writeFile(join(home, 'goals', 'a.md'), 'go')
    await writeFile(join(work, '.onward', 'goals', 'a.md'), 'on')
    await symlink(home, join(root, 'home-link'))
    await symlink(work, join(root, 'work-link'))
    const folders = { home: join(root, 'home-link'), session: join(root, 'work-link') }
    expect(await look('goals/a.md', folders)).toEqual({ ok: true, text: 'go' })
    expect(await look('.onward/goals/a.md', folders)).toEqual({ ok: true, text: 'on' })
  })
  it('is read in a home folder that holds the Onward home', async () => {
    const inside = join(work, '.onward')
    await writeFile(join(inside, 'goals', 'a.md'), 'go')
    expect(await look('.onward/goals/a.md', { home: inside, session: work })).toEqual({ ok: true, text: 'go' })
  })
  it('is read at 64 KiB', async () => {
    await writeFile(join(home, 'goals', 'big.md'), 'x'.repeat(64 * 1024))
    expect(await look('goals/big.md')).toMatchObject({ ok: true })
  })

  it.each<[string, string, string]>([
    ['an absolute path', '/etc/passwd', 'bad-path'],
    ['what the home holds', 'control-token', 'bad-path'],
    ['a folder of the home beside goals/', 'sessions/goals/a.json', 'bad-path'],
    ['a folder of which goals/ is only the beginning', 'goals-too/a.md', 'bad-path'],
    ['what the session’s folder holds', '.onward/checks.json', 'bad-path'],
    ['a path that goes up', 'goals/../control-token', 'bad-path'],
    ['a path that goes up on Windows', 'goals\\..\\control-token', 'bad-path'],
    ['the folder of goals itself', 'goals', 'bad-path'],
    ['a missing file', 'goals/missing.md', 'file-unreadable'],
    ['a missing folder', 'goals/missing/a.md', 'file-unreadable'],
    ['a folder', 'goals/deep', 'file-unreadable'],
    ['a file on the way', 'goals/empty.md/a.md', 'file-outside'],
    ['an empty file', 'goals/empty.md', 'file-empty'],
    ['a blank file', 'goals/blank.md', 'file-empty'],
    ['a file of more than 64 KiB', 'goals/big.md', 'file-too-large'],
    ['bytes that are no text', 'goals/binary.md', 'file-unreadable'],
  ])('is refused: %s', async (_, path, code) => {
    const goals = join(home, 'goals')
    await mkdir(join(home, 'sessions', 'goals'), { recursive: true })
    await mkdir(join(home, 'goals-too'))
    for (const file of ['sessions/goals/a.json', 'goals-too/a.md']) await writeFile(join(home, file), 'SECRET')
    await writeFile(join(work, '.onward', 'checks.json'), '{}')
    await writeFile(join(goals, 'empty.md'), '')
    await writeFile(join(goals, 'blank.md'), ' \n')
    await writeFile(join(goals, 'big.md'), 'x'.repeat(64 * 1024 + 1))
    await writeFile(join(goals, 'binary.md'), Buffer.from([0xff, 0xfe, 0x41]))
    expect(await look(path)).toMatchObject({ ok: false, code })
  })

  describe('whose name leads to something else', unless(onWindows), () => {
    it.each<[string, () => Promise<void>, string]>([
      ['a link to a secret of the home', () => symlink('../control-token', join(home, 'goals', 'a.md')), 'goals/a.md'],
      ['a link to a goal beside it', () => symlink('b.md', join(home, 'goals', 'a.md')), 'goals/a.md'],
      ['a folder that is a link', () => symlink('..', join(home, 'goals', 'up')), 'goals/up/control-token'],
      ['a second name of a secret', () => link(join(home, 'control-token'), join(home, 'goals', 'a.md')), 'goals/a.md'],
      [
        'a link a repository brought along',
        () => symlink(join(home, 'control-token'), join(work, '.onward', 'goals', 'a.md')),
        '.onward/goals/a.md',
      ],
      [
        'a folder of goals that a repository brought along as a link',
        async () => {
          await rm(join(work, '.onward'), { recursive: true })
          await mkdir(join(work, '.onward'))
          await symlink(home, join(work, '.onward', 'goals'))
        },
        '.onward/goals/control-token',
      ],
    ])('is refused: %s', async (_, put, path) => {
      await writeFile(join(home, 'goals', 'b.md'), 'b')
      await put()
      expect(await look(path)).toMatchObject({ ok: false, code: 'file-outside' })
    })
    it('is refused at once where a pipe stands', async () => {
      execFileSync('mkfifo', [join(home, 'goals', 'pipe')])
      expect(await look('goals/pipe')).toMatchObject({ ok: false, code: 'file-unreadable' })
    })
  })

  it('is never what the home holds, also for an agent that works in the home', async () => {
    for (const folder of ['.onward/goals', 'sessions/.onward/goals']) {
      await mkdir(join(home, folder), { recursive: true })
      await writeFile(join(home, folder, 'a.md'), 'SECRET')
    }
    for (const session of [home, join(home, 'sessions')])
      expect(await look('.onward/goals/a.md', { home, session })).toMatchObject({ ok: false, code: 'file-outside' })
  })
  it('of a session whose folder is not known is refused', async () => {
    expect(await look('.onward/goals/own.md', { home, session: null })).toMatchObject({
      ok: false,
      code: 'file-unreadable',
      message: expect.stringContaining('not known'),
    })
  })
})
