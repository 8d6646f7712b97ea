import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../../../shared/testing/unless.ts'
import { listFolder, recentFolders } from './folders-api.ts'
import { writtenFolder } from './written-folder.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onward-folders-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))
const make = (...names: readonly string[]) => Promise.all(names.map((name) => mkdir(join(root, name))))

describe('a listing of a folder', () => {
  it('names the folders in it as a file manager orders them, and no files', async () => {
    await make('part10', 'part9', 'Docs', 'api', '.git')
    await writeFile(join(root, 'secret.txt'), 'not told')
    expect(await listFolder(root, { hidden: false })).toEqual({
      path: root,
      parent: dirname(root),
      folders: ['api', 'Docs', 'part9', 'part10'],
      separator: '/',
      more: false,
    })
    expect((await listFolder(root, { hidden: true })).folders).toContain('.git')
  })

  it('has links to folders, and no others', unless(onWindows), async () => {
    await make('real')
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'real'), join(root, 'to-folder'))
    await symlink(join(root, 'file'), join(root, 'to-file'))
    await symlink(join(root, 'gone'), join(root, 'to-nowhere'))
    expect((await listFolder(root, { hidden: false })).folders).toEqual(['real', 'to-folder'])
  })

  it('tells a thousand at most, and that there are more', async () => {
    await make(...Array.from({ length: 1_001 }, (_, i) => `f${i}`))
    const { folders, more } = await listFolder(root, { hidden: false })
    expect([folders.length, more]).toEqual([1_000, true])
  })

  it('says in words why there is none', async () => {
    await writeFile(join(root, 'file'), '')
    const none = join(root, 'none')
    await expect(listFolder(none, { hidden: false })).rejects.toMatchObject({
      code: 'folder-not-found',
      message: `There is no folder ${none}.`,
    })
    await expect(listFolder(join(root, 'file'), { hidden: false })).rejects.toMatchObject({ code: 'not-a-folder' })
    await expect(listFolder(`${root}\0`, { hidden: false })).rejects.toMatchObject({ code: 'folder-not-readable' })
  })

  it('says when it may not be read', async () => {
    const open = async () => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    }
    await expect(listFolder('/locked', { hidden: false, open })).rejects.toMatchObject({
      code: 'folder-not-readable',
      message: '/locked may not be read. Check owner and permissions of the folder.',
    })
  })
})

it('folders are read as a person writes them', () => {
  const host = { env: { HOME: '/home/me' }, home: '/home/me/.onward' }
  expect(['', '~', '~/code', 'code', '/srv/app/..', '~other'].map((wanted) => writtenFolder(host, wanted))).toEqual([
    '/home/me',
    '/home/me',
    '/home/me/code',
    '/home/me/code',
    '/srv',
    '/home/me/~other',
  ])
  expect(writtenFolder(host, undefined)).toBe('/home/me')
})

describe('recent folders', () => {
  const everywhere = async () => true
  it('are those agents were last in, each once, the last one first', async () => {
    const seen = [
      { cwd: '/a', at: 1 },
      { cwd: '/b', at: 5 },
      { cwd: null, at: 9 },
      { cwd: '/a', at: 7 },
      { cwd: '/c', at: 6 },
    ]
    expect(await recentFolders(seen, everywhere)).toEqual(['/a', '/c', '/b'])
    expect(await recentFolders(seen, async (path) => path !== '/a')).toEqual(['/c', '/b'])
  })
  it('are eight at most, and no more are looked at', async () => {
    const looked: string[] = []
    const seen = Array.from({ length: 500 }, (_, i) => ({ cwd: `/f${i}`, at: i }))
    const recent = await recentFolders(seen, async (path) => looked.push(path) > 0)
    expect(recent).toHaveLength(8)
    expect(looked).toEqual(recent)
  })
})
