import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeSecretFiles } from './node-files.ts'
import { secretsFile } from './secrets-file.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-secrets-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))
const file = () => join(home, 'secrets.json')
const mode = async () => (await stat(file())).mode & 0o777

describe('the file of secrets', () => {
  it('keeps what is set, for its owner only', async () => {
    const secrets = secretsFile(home, nodeSecretFiles())
    expect(await secrets.get('glm-main')).toBeNull()
    expect(await readdir(home)).toEqual([])
    await Promise.all([
      secrets.set('glm-main', 'sk-1'),
      secrets.set('__proto__', 'sk-2'),
      secrets.set('gone', 'sk-3'),
      secrets.remove('gone'),
    ])
    expect(await mode()).toBe(0o600)
    const again = secretsFile(home, nodeSecretFiles())
    expect(await Promise.all(['glm-main', '__proto__', 'gone', 'toString'].map(again.get))).toEqual([
      'sk-1',
      'sk-2',
      null,
      null,
    ])
    expect(await readdir(home)).toEqual(['secrets.json'])
  })

  it('closes a file of ours that others can read', async () => {
    await writeFile(file(), '{"a":"sk-1"}')
    await chmod(file(), 0o644)
    expect(await secretsFile(home, nodeSecretFiles()).get('a')).toBe('sk-1')
    expect(await mode()).toBe(0o600)
  })

  it('does not use somebody else’s that others can read', async () => {
    const files = { ...nodeSecretFiles(), access: async () => ({ open: true, ours: false }) }
    await writeFile(file(), '{"a":"sk-1"}')
    for (const work of [() => secretsFile(home, files).get('a'), () => secretsFile(home, files).set('a', 'sk-2')])
      await expect(work()).rejects.toMatchObject({ code: 'secrets-open' })
    expect(await readFile(file(), 'utf8')).toBe('{"a":"sk-1"}')
  })

  it.each(['{"a":"sk-very-secret"', '["sk-very-secret"]', '{"a":{"b":"sk-very-secret"}}'])(
    'neither writes over nor repeats what it can’t read: %s',
    async (text) => {
      await writeFile(file(), text, { mode: 0o600 })
      const secrets = secretsFile(home, nodeSecretFiles())
      await expect(secrets.set('b', 'x')).rejects.toMatchObject({
        code: 'secrets-unreadable',
        message: expect.not.stringContaining('sk-very'),
      })
      expect(await readFile(file(), 'utf8')).toBe(text)
    },
  )
})
