import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolders } from './make-folders.ts'
import { tempFolders } from './testing/temp-folder.ts'
import { asRoot, unless } from '../../../shared/testing/unless.ts'

const temp = tempFolders()
/** root may write to a folder whatever its mode, hence `unless(asRoot)` */

describe('makeFolders', () => {
  it('makes what is missing, for the owner only, and says where it began', async () => {
    const folder = temp()
    expect(await makeFolders(join(folder, 'a', 'b'))).toBe(join(folder, 'a'))
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(await makeFolders(join(folder, 'a', 'b'))).toBeUndefined()
  })

  it('says that a file stands in the way', async () => {
    const file = join(temp(), 'file')
    writeFileSync(file, '')
    await expect(makeFolders(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('says that the folder above may not be written', unless(asRoot), async () => {
    const folder = temp()
    chmodSync(folder, 0o500)
    await expect(makeFolders(join(folder, 'a', 'b'))).rejects.toMatchObject({ code: 'EACCES' })
    chmodSync(folder, 0o700)
  })

  it('takes a link to a folder for a folder', async () => {
    const folder = temp()
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', join(folder, 'link'))
    expect(await makeFolders(join(folder, 'link', 'a'))).toBe(join(folder, 'link', 'a'))
    expect(statSync(join(folder, 'real', 'a')).isDirectory()).toBe(true)
  })

  it('is made once by several at a time', async () => {
    const folder = temp()
    const made = await Promise.all(Array.from({ length: 5 }, () => makeFolders(join(folder, 'a', 'b', 'c'))))
    expect(made.filter((first) => first === join(folder, 'a'))).toHaveLength(1)
  })

  it('ends where nothing can be made', unless(existsSync('/proc/self') ? null : 'there is no /proc'), async () => {
    await expect(makeFolders('/proc/onward/a/b')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/onward' })
  })
})
