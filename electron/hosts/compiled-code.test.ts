import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { keepCompiledCode } from './compiled-code.ts'
import { tempFolders } from '../engine/store/testing/temp-folder.ts'

const temp = tempFolders()

describe('compiled code of the program', () => {
  it('is kept in the home, which only its owner can read, in a folder of this version', async () => {
    const home = join(await temp(), 'home')
    const enable = vi.fn()
    keepCompiledCode(home, '1.2.3', enable)
    const own = join(home, 'compiled-code', '1.2.3')
    expect(enable.mock.calls).toEqual([[own]])
    if (process.platform !== 'win32')
      for (const folder of [home, own]) expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })
  it('of other versions goes', async () => {
    const home = await temp()
    const old = join(home, 'compiled-code', '1.2.2')
    await mkdir(old, { recursive: true })
    await writeFile(join(old, 'code'), '')
    keepCompiledCode(home, '1.2.3', () => undefined)
    expect(await readdir(join(home, 'compiled-code'))).toEqual(['1.2.3'])
  })
  it('is not kept where the folder can’t be made', async () => {
    const home = await temp()
    await writeFile(join(home, 'compiled-code'), 'a file')
    const enable = vi.fn()
    keepCompiledCode(home, '1.2.3', enable)
    expect(enable).not.toHaveBeenCalled()
  })
})
