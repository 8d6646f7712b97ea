/** The whole engine with a keychain: keys and addresses go there, and one that opens late is taken up. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { memoryKeychain, type MemoryKeychain } from './secrets/testing/memory-keychain.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import type { Engine } from './engine.ts'
import { engineInProcess } from '../testing/engine-in-process.ts'

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

describe.each(['file', 'keychain'] as const)('a stored key of what was removed, in the %s', (place) => {
  const team = {
    was: null,
    name: 'team',
    kind: 'slack',
    url: 'https://hooks.example/hidden-path-7',
    token: null,
    on: true,
    classes: null,
    texts: false,
  } as const
  const kept = () =>
    place === 'keychain' ? [...keychain.content.values()] : (secretsFile().match(/hidden-path-7|sk-kept-away/g) ?? [])
  const secretsFile = () =>
    readdirSync(home).includes('secrets.json') ? readFileSync(join(home, 'secrets.json'), 'utf8') : ''
  const again = async () => {
    await engine.dispose()
    engine = await engineInProcess({ home, keychain })
    await waitFor('the start’s sweep', async () => (await engine.api.secretsKept()).swept?.length)
  }
  beforeEach(async () => {
    await engine.api.moveSecrets(place)
    await addProvider()
  })

  it('stays while the removal can be taken back, and is gone with the next start', async () => {
    await engine.api.saveOutside(team)
    await engine.api.removeOutside('team')
    await engine.api.removeProvider('glm')
    expect(await engine.api.secretsKept()).toMatchObject({ unnamed: ['notify-team', 'glm-main'].sort(), swept: [] })
    await engine.api.undoConfig()
    expect(await keyState()).toBe('ready')
    await engine.api.removeProvider('glm')
    await again()
    expect(kept()).toEqual([])
    expect(await engine.api.secretsKept()).toMatchObject({
      count: { keychain: 0, file: 0 },
      unnamed: [],
      swept: expect.arrayContaining(['glm-main', 'notify-team']),
    })
    await engine.dispose()
    expect(bytes()).not.toMatch(/hidden-path-7|sk-kept-away/)
    engine = await engineInProcess({ home, keychain })
  })

  it('is gone with the edit that no undo goes back behind, and with an undo of what stored it', async () => {
    await engine.api.removeProvider('glm')
    for (let i = 0; i < 20; i++) await engine.api.setSetting({ name: 'clock.dueWindowMs', value: 7_000 + i })
    await waitFor('the sweep', async () => (await engine.api.secretsKept()).swept?.includes('glm-main'))
    await addProvider()
    await engine.api.undoConfig()
    await waitFor('the sweep', async () => (await engine.api.secretsKept()).swept?.length === 2)
    expect(kept()).toEqual([])
  })

  it.each([
    ['the config can’t be read', '{ "providers": '],
    ['the config is not there', null],
    ['it stands in a comment', '{\n  // "secretRef": "glm-main"\n}\n'],
    ['it is written otherwise', JSON.stringify(config('glm')).replace('glm-main', 'glm\\u002dmain')],
  ])('stays where %s', async (_why, text) => {
    await engine.api.saveOutside(team)
    await engine.dispose()
    const path = join(home, 'config.json')
    if (text === null) await rm(path)
    else await writeFile(path, text)
    engine = await engineInProcess({ home, keychain })
    await engine.api.moveSecrets(place)
    expect((await engine.api.secretsKept()).swept).not.toContain('glm-main')
    expect(kept()).toContain('sk-kept-away')
  })
})

function config(id: string) {
  const key = { alias: 'main', secretRef: `${id}-main` }
  return { providers: { [id]: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', keys: [key] } } }
}
