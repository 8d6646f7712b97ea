import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepCompiledCode } from './compiled-code.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'

const temp = tempFolders()

/** what Node is asked for */
function node() {
  const asked: string[] = []
  return { asked, enable: (folder: string) => void asked.push(folder) }
}

describe('compiled code of the program', () => {
  it('is kept in the home, which only its owner can read, in a folder of this version', async () => {
    const home = await temp()
    const { asked, enable } = node()
    await keepCompiledCode(home, '1.2.3', enable)
    expect(asked).toEqual([join(home, 'compiled-code', '1.2.3')])
    if (process.platform !== 'win32')
      expect((await stat(join(home, 'compiled-code', '1.2.3'))).mode & 0o777).toBe(0o700)
  })
  it('of other versions goes', async () => {
    const home = await temp()
    const old = join(home, 'compiled-code', '1.2.2')
    await mkdir(old, { recursive: true })
    await writeFile(join(old, 'code'), '')
    await keepCompiledCode(home, '1.2.3', node().enable)
    expect(await readdir(join(home, 'compiled-code'))).toEqual(['1.2.3'])
  })
  it('is not kept by a Node that can’t, nor where the folder can’t be made', async () => {
    const home = await temp()
    await keepCompiledCode(home, '1.2.3', undefined)
    expect(await readdir(home)).toEqual([])
    await writeFile(join(home, 'compiled-code'), 'a file')
    const { asked, enable } = node()
    await keepCompiledCode(home, '1.2.3', enable)
    expect(asked).toEqual([])
  })
})
