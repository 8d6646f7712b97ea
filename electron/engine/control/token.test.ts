import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandom } from '../base/ids.ts'
import { controlTokenFile, ensureControlToken, readControlToken } from './token.ts'

const random = systemRandom()
let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-token-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('the control token', () => {
  it('is made once, for its owner only', async () => {
    const token = await ensureControlToken(home, random)
    expect(token.length).toBeGreaterThanOrEqual(40)
    expect((await stat(controlTokenFile(home))).mode & 0o777).toBe(0o600)
    expect(await ensureControlToken(home, random)).toBe(token)
    expect(await readControlToken(home)).toBe(token)
  })

  it('is made in a home that does not exist yet', async () => {
    const deep = join(home, 'a', 'b')
    await ensureControlToken(deep, random)
    expect((await stat(deep)).mode & 0o777).toBe(0o700)
  })

  it('closes a file that others could read', async () => {
    const token = await ensureControlToken(home, random)
    await chmod(controlTokenFile(home), 0o644)
    expect(await ensureControlToken(home, random)).toBe(token)
    expect((await stat(controlTokenFile(home))).mode & 0o077).toBe(0)
  })

  it.each([
    [''],
    ['short'],
    ['two words of twenty and more letters'],
    ['\u0000'.repeat(40)],
    ['A'.repeat(22)],
    ['A'.repeat(42)],
    ['A'.repeat(86)],
  ])('says that a damaged file is damaged and leaves it: %j', async (content) => {
    await writeFile(controlTokenFile(home), content)
    await expect(ensureControlToken(home, random)).rejects.toMatchObject({ code: 'control-token' })
    expect(await readFile(controlTokenFile(home), 'utf8')).toBe(content)
  })

  it('is null where no engine ever ran', async () => {
    expect(await readControlToken(join(home, 'nowhere'))).toBeNull()
  })
})
