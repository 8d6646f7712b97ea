/** Keys in a real Secret Service: stored, moved, found again by the next engine, and missing while it is locked. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { filesWith, secretServiceMissing, startSecretService, type SecretService } from './support/secret-service.ts'

const keys = { one: 'sk-first-of-the-keychain', two: 'sk-second-of-the-keychain', three: 'sk-third-of-the-keychain' }

describe('the keychain of a home', unless(secretServiceMissing), () => {
  let mock: MockUpstream
  let service: SecretService
  let engine: EngineProcess
  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('All is well.')
    service = await startSecretService()
    // An engine that knows of no keychain, as those of before.
    engine = await startEngine({ env: { ...service.env, ONWARD_KEYCHAIN: '0' } })
  })
  afterAll(async () => {
    service?.thaw()
    await engine?.stop()
    await service?.end()
    await mock?.dispose()
    removeHomes()
  })
  const secretsJson = () => join(engine.home, 'secrets.json')
  const add = (id: keyof typeof keys) =>
    engine.control.api.addProvider.mutate({
      id,
      preset: null,
      type: 'openai-chat',
      baseUrl: `${mock.baseUrl}/v1`,
      auth: 'key',
      key: { secret: keys[id] },
      models: ['m-1'],
    })
  /** @returns the key that its provider was called with */
  const called = async (id: string) => {
    const test = await engine.control.api.testProvider.mutate(id)
    return test.kind === 'failed' ? test.message : mock.requests.at(-1)?.headers['authorization']
  }
  const kept = () => engine.control.api.secretsKept.query()
  const next = async (env: Record<string, string> = { ONWARD_KEYCHAIN: '' }) => {
    await engine.stop()
    engine = await startEngine({ home: engine.home, env: { ...service.env, ...env } })
  }
  const finding = async () => (await engine.control.api.doctor.query()).find(({ check }) => check === 'keys')

  it('is left alone where it is switched off: keys are in the file, and that is said', async () => {
    await add('one')
    await add('two')
    expect(statSync(secretsJson()).mode & 0o777).toBe(0o600)
    expect(await kept()).toMatchObject({ count: { file: 2, keychain: 0 }, keychain: { trouble: 'off' } })
    expect(await finding()).toMatchObject({ ok: true, say: expect.stringContaining(secretsJson()) })
  })

  it('gets a new key, and the old ones stay where they are', async () => {
    await next()
    expect(await kept()).toMatchObject({ count: { file: 2, keychain: 0 }, keychain: { kind: 'untried' } })
    await add('three')
    expect(await kept()).toMatchObject({ keep: 'keychain', count: { file: 2, keychain: 1 } })
    expect(filesWith(engine.home, keys.three)).toEqual([])
    expect(await called('three')).toBe(`Bearer ${keys.three}`)
    expect(await called('one')).toBe(`Bearer ${keys.one}`)
  })

  it('gets the others by a command, and no file of the home holds any', async () => {
    const ran = await onward(['--home', engine.home, 'providers', 'keys', '--to', 'keychain'])
    expect(ran).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('3 keys are in the system’s keychain.'),
    })
    expect(existsSync(secretsJson())).toBe(false)
    for (const key of Object.values(keys)) expect(filesWith(engine.home, key)).toEqual([])
    const names = readFileSync(join(engine.home, 'secrets-index.json'), 'utf8')
    for (const id of Object.keys(keys)) expect(names).toContain(`${id}-main`)
    // Exactly ours are there, without the entry that tried it out.
    expect(service.labels().match(/dev\.onward/g)?.length).toBeGreaterThanOrEqual(3)
    expect(service.labels()).not.toContain('test entry')
  })

  it('gives them to the next engine', async () => {
    await next()
    for (const [id, key] of Object.entries(keys)) expect(await called(id)).toBe(`Bearer ${key}`)
    expect(await finding()).toMatchObject({ ok: true, say: '3 keys are in the system’s keychain.' })
  })

  it('that is locked is told of for each key, and unlocked gives them without a restart', async () => {
    service.lock()
    await next()
    expect(await called('one')).toContain('is in the keychain, and the keychain is locked')
    expect(await finding()).toMatchObject({ ok: false, mend: expect.stringContaining('Unlock it') })
    await expect(
      engine.control.api.updateProvider.mutate(await withNewKey('one', 'sk-never-in-a-file')),
    ).rejects.toThrow('The keychain is locked')
    expect(filesWith(engine.home, 'sk-never')).toEqual([])
    await service.unlock()
    await waitFor('the key', async () => (await called('one')) === `Bearer ${keys.one}`)
  })

  it('that does not answer holds no start up, and its keys count once it does', async () => {
    service.freeze()
    await next()
    expect(await called('two')).toContain('is in the keychain, and the keychain does not answer')
    service.thaw()
    await waitFor('the key', async () => (await called('two')) === `Bearer ${keys.two}`)
  })

  it('of an engine without a session bus can’t be reached, and nothing is written elsewhere', async () => {
    await next({ ONWARD_KEYCHAIN: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' })
    expect(await called('one')).toContain('the keychain can’t be reached')
    expect(existsSync(secretsJson())).toBe(false)
    expect(await finding()).toMatchObject({ ok: false, mend: expect.stringContaining('session of your desktop') })
    await next()
    expect(await called('one')).toBe(`Bearer ${keys.one}`)
  })

  it('gives all back to the file', async () => {
    expect((await engine.control.api.moveSecrets.mutate('file')).count).toEqual({ file: 3, keychain: 0 })
    expect(service.labels()).not.toContain('dev.onward')
    expect(statSync(secretsJson()).mode & 0o777).toBe(0o600)
    await next({ ONWARD_KEYCHAIN: '0' })
    for (const [id, key] of Object.entries(keys)) expect(await called(id)).toBe(`Bearer ${key}`)
  })

  it('is filled and emptied by a click in the settings', unless(noBrowser), async () => {
    await next()
    const { page, complaints, close } = await openPage()
    try {
      await page.goto(await engine.dashboard())
      await page.locator('.statusbar .num').first().waitFor()
      await page.evaluate(() => (location.hash = '#/settings'))
      const security = page.getByRole('region', { name: 'Security', exact: true })
      await security.getByText(`3 keys are in ${secretsJson()}, which only you can read.`).waitFor()
      await security.getByRole('button', { name: 'Move 3 keys to the keychain' }).click()
      await security.getByText('3 keys are in the system’s keychain.').waitFor()
      expect(existsSync(secretsJson())).toBe(false)
      service.lock()
      await security.getByRole('button', { name: 'Move 3 keys to the file' }).click()
      await security.getByRole('alert').getByText('The keychain is locked').waitFor()
      await service.unlock()
      await security.getByRole('button', { name: 'Move 3 keys to the file' }).click()
      await security.getByText(`3 keys are in ${secretsJson()}`).waitFor()
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  })

  it('that hangs when the first key comes keeps nobody: the file has it, that is said, nothing is left', async () => {
    service.freeze()
    const other = await startEngine({ env: { ...service.env, ONWARD_KEYCHAIN: '' } })
    try {
      await other.control.api.addProvider.mutate({
        id: 'one',
        preset: null,
        type: 'openai-chat',
        baseUrl: `${mock.baseUrl}/v1`,
        auth: 'key',
        key: { secret: keys.one },
        models: ['m-1'],
      })
      expect(await other.control.api.secretsKept.query()).toMatchObject({
        keep: null,
        count: { file: 1, keychain: 0 },
        keychain: { kind: 'trouble', trouble: 'silent' },
      })
      const ran = await onward(['--home', other.home, 'providers', 'keys'])
      expect(ran.out).toContain('So new keys go to the file.')
      service.thaw()
      await waitFor('the test entry to go', () => !service.labels().includes('test entry'))
    } finally {
      service.thaw()
      await other.stop()
    }
  })

  it('loses the keys of a home that is removed with its data, and of no other', async () => {
    const other = await startEngine({ env: { ...service.env, ONWARD_KEYCHAIN: '' } })
    await other.control.api.moveSecrets.mutate('keychain')
    await other.control.api.addProvider.mutate({
      id: 'two',
      preset: null,
      type: 'openai-chat',
      baseUrl: `${mock.baseUrl}/v1`,
      auth: 'key',
      key: { secret: keys.two },
      models: ['m-1'],
    })
    await other.stop()
    expect(service.labels()).toContain('two-main')
    const words = ['--home', other.home, 'uninstall', '--data', '--yes']
    const ran = await onward(words, { ...service.env, HOME: newHome(), ONWARD_KEYCHAIN: '' })
    expect(ran).toMatchObject({ err: '', code: 0 })
    expect(ran.out).toContain('Removes from the system’s keychain: two-main.')
    expect(service.labels()).not.toContain('two-main')
    expect(existsSync(other.home)).toBe(false)
  })

  async function withNewKey(id: string, secret: string) {
    const { revision } = await engine.control.api.providerDetails.query(id)
    return { provider: id, revision, keys: [{ was: null, alias: 'spare', from: { secret } }] }
  }
})
