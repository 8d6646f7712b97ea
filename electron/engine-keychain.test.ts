/** What the whole engine does with a keychain: keys and addresses go there, and one that opens late is taken up. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { memoryKeychain, type MemoryKeychain } from './engine/secrets/testing/memory-keychain.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'
import type { Engine } from './engine/engine.ts'
import { engineInProcess } from './testing/engine-in-process.ts'

const temp = tempFolders()
let home = ''
let keychain: MemoryKeychain
let engine: Engine
beforeEach(async () => {
  home = temp()
  mkdirSync(join(home, 'state'))
  await writeFile(join(home, 'config.json'), '{ "server": { "port": 0 } }\n')
  keychain = memoryKeychain()
  engine = await engineInProcess({ home, keychain })
})
afterEach(() => engine.dispose())

const bytes = () =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
const addProvider = () =>
  engine.api.addProvider({
    id: 'glm',
    preset: null,
    type: 'openai-chat',
    baseUrl: 'http://127.0.0.1:9/v1',
    auth: 'key',
    key: { secret: 'sk-kept-away' },
    models: ['m'],
  })
const keyState = async () => (await engine.api.providers()).find(({ id }) => id === 'glm')?.keys[0]?.state.kind

describe('an engine with a keychain', () => {
  it('asks it nothing while no secret is kept', () => {
    expect(keychain.calls).toEqual([])
  })

  it('keeps keys and addresses of notifications there, and no file of its home holds one', async () => {
    await addProvider()
    await engine.api.saveOutside({
      was: null,
      name: 'team',
      kind: 'slack',
      url: 'https://hooks.example/hidden-path-7',
      token: null,
      on: true,
      classes: null,
      texts: false,
    })
    expect([...keychain.content.values()].sort()).toEqual(['https://hooks.example/hidden-path-7', 'sk-kept-away'])
    expect(await keyState()).toBe('ready')
    await engine.api.moveSecrets('file')
    expect(bytes()).toContain('hidden-path-7')
    await engine.api.moveSecrets('keychain')
    expect(await keyState()).toBe('ready')
    await engine.dispose()
    expect(bytes()).not.toMatch(/hidden-path-7|sk-kept-away/)
    engine = await engineInProcess({ home, keychain })
    expect(await keyState()).toBe('ready')
  })

  it('starts while it is locked, and takes the keys up once it is open', async () => {
    await addProvider()
    await engine.dispose()
    keychain.trouble = 'silent'
    engine = await engineInProcess({ home, keychain })
    expect(await keyState()).not.toBe('ready')
    expect((await engine.api.doctor()).find(({ check }) => check === 'keys')).toMatchObject({ ok: false })
    keychain.trouble = null
    keychain.back()
    await waitFor('the key', async () => (await keyState()) === 'ready')
  })
})
