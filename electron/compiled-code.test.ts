import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepCompiledCode } from './compiled-code.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'

const temp = tempFolders()

/** what Node is asked for */
function node() {
  const asked: string[] = []
  const says = (what: string) => (folder?: string) => void asked.push(folder ?? what)
  return { asked, enableCompileCache: says('enable'), flushCompileCache: says('flush') }
}
const own = import.meta.dirname
const nothing = async () => undefined

describe('compiled code of the program', () => {
  it('is kept in the home, which only its owner can read, in a folder of this version', async () => {
    const home = await temp()
    const newer = node()
    keepCompiledCode(home, '1.2.3', own, newer)
    expect(newer.asked).toEqual([join(home, 'compiled-code', '1.2.3')])
    if (process.platform !== 'win32')
      expect((await stat(join(home, 'compiled-code', '1.2.3'))).mode & 0o777).toBe(0o700)
  })
  it('is written when all is started, by a Node that can', async () => {
    const newer = node()
    await keepCompiledCode(await temp(), '1.2.3', own, newer)(nothing)
    expect(newer.asked.at(-1)).toBe('flush')
    await keepCompiledCode(await temp(), '1.2.3', own, { enableCompileCache: newer.enableCompileCache })(nothing)
    expect(newer.asked.filter((what) => what === 'flush')).toHaveLength(1)
  })
  it('of other versions goes', async () => {
    const home = await temp()
    const old = join(home, 'compiled-code', '1.2.2')
    await mkdir(old, { recursive: true })
    await writeFile(join(old, 'code'), '')
    keepCompiledCode(home, '1.2.3', own, node())
    expect(await readdir(join(home, 'compiled-code'))).toEqual(['1.2.3'])
  })
  it('is not kept where the folder can’t be made', async () => {
    const home = await temp()
    await writeFile(join(home, 'compiled-code'), 'a file')
    const newer = node()
    await keepCompiledCode(home, '1.2.3', own, newer)(nothing)
    expect(newer.asked).toEqual([])
  })
  it('is that of what is needed later, too: loaded before it is written', async () => {
    const newer = node()
    await keepCompiledCode(await temp(), '1.2.3', own, newer)(async () => void newer.asked.push('late'))
    expect(newer.asked.slice(1)).toEqual(['late', 'flush'])
  })
  it('is written even if some of that can’t be loaded', async () => {
    const newer = node()
    await keepCompiledCode(await temp(), '1.2.3', own, newer)(() => Promise.reject(new Error('no such file')))
    expect(newer.asked.at(-1)).toBe('flush')
  })
})
