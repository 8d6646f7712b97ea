import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFiles } from './disk-files.ts'
import { claimHomeFormat, formatFile, homeFormat } from './home-format.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-format-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))
const claim = (version: string, known?: number) =>
  claimHomeFormat({ home, files: diskFiles(), version, ...(known === undefined ? {} : { known }) })
const written = async (): Promise<unknown> => JSON.parse(await readFile(formatFile(home), 'utf8'))

describe('the format of a home', () => {
  it('is written once, by whoever is first', async () => {
    await claim('0.1.0')
    await claim('0.2.0')
    expect(await written()).toEqual({ format: homeFormat, by: '0.1.0' })
  })

  it('goes up with an Onward that knows a newer one, and the older is then refused with nothing touched', async () => {
    await claim('0.1.0', 1)
    await claim('0.5.0', 2)
    expect(await written()).toEqual({ format: 2, by: '0.5.0' })
    const files = await readdir(home)
    await expect(claim('0.1.0', 1)).rejects.toMatchObject({
      code: 'home-newer',
      message:
        `${home} was last used by a newer Onward (0.5.0, format 2; this one, 0.1.0, knows ` +
        'format 1). Nothing in it was opened. Update this Onward, or use another home.',
    })
    expect(await readdir(home)).toEqual(files)
    expect(await written()).toEqual({ format: 2, by: '0.5.0' })
  })

  it.each(['{"format":2,', '{"format":2,"b', '{"format":2,"by":"0.'])(
    'is known from %j, which was cut off behind it, and written whole again',
    async (text) => {
      await writeFile(formatFile(home), text)
      await claim('0.3.0')
      expect(await written()).toEqual({ format: homeFormat, by: '0.3.0' })
      await writeFile(formatFile(home), text)
      await expect(claim('0.1.0', 1)).rejects.toMatchObject({ code: 'home-newer' })
    },
  )

  it.each(['{"format":2', '{"form', '', '{"format":0,"by":"x"}', '{"format":"2"}', 'two'])(
    'is not guessed from %j',
    async (text) => {
      await writeFile(formatFile(home), text)
      await expect(claim('0.1.0')).rejects.toMatchObject({ code: 'home-format' })
      expect(await readFile(formatFile(home), 'utf8')).toBe(text)
    },
  )
})
