import { existsSync, mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Input } from '../shared/operations/index.ts'
import type { Engine } from './engine/engine.ts'
import { engineInProcess, listenOnLoopback } from './testing/engine-in-process.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

interface Asked {
  path: string
  key: string
}
/** A provider that lists the models the test gives it. */
async function upstream(answer: (asked: Asked) => { status?: number; location?: string; body: unknown }) {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { authorization, 'x-api-key': apiKey, 'x-goog-api-key': googKey } = request.headers
    const one = { path: request.url ?? '', key: String(authorization ?? apiKey ?? googKey ?? '') }
    asked.push(one)
    const { status = 200, location, body } = answer(one)
    response
      .writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return { url, asked }
}

let home = ''
let engine: Engine
const file = () => join(home, 'config.json')
const configText = () => readFile(file(), 'utf8')
/** Without a secret there is no file. */
const secrets = async (): Promise<unknown> =>
  existsSync(join(home, 'secrets.json')) ? JSON.parse(await readFile(join(home, 'secrets.json'), 'utf8')) : {}
beforeEach(async () => {
  home = temp()
  mkdirSync(join(home, 'state'))
  await writeFile(file(), '{ "server": { "port": 0 } }\n')
  engine = await engineInProcess({ home, env: { GOOD_KEY: 'sk-good', BAD_KEY: 'sk-bad' }, port: null })
  over.push(() => engine.dispose())
})
/** As a person writes it, and as the engine runs it from then on. */
async function configured(providers: unknown, routes: unknown = {}): Promise<void> {
  const text = JSON.stringify({ server: { port: 0 }, providers, routes }, null, 2)
  await writeFile(file(), `// mine\n${text}\n`)
  const [first = ''] = Object.keys(providers as object)
  await engine.api.providerDetails(first)
}

describe('the form of a provider', () => {
  const p = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', keys: [{ alias: 'main', value: 'sk-in-file' }] }
  const update = async (change: Partial<Input<'updateProvider'>>) =>
    engine.api.updateProvider({
      provider: 'p',
      revision: (await engine.api.providerDetails('p')).revision,
      ...change,
    })

  it('shows what the config says of it, and no key', async () => {
    await configured(
      { p: { ...p, models: { m: { contextWindow: 1000, price: { input: 1, output: 2 } }, n: { vision: true } } } },
      { default: ['p.m'], review: ['p/n', { target: 'p.m', weight: 2 }] },
    )
    const details = await engine.api.providerDetails('p')
    expect(details).toEqual({
      id: 'p',
      type: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      auth: 'key',
      keys: [{ alias: 'main', from: 'value', env: null }],
      models: [
        { id: 'm', contextWindow: 1000, vision: null, thinking: null, price: { input: 1, output: 2 } },
        { id: 'n', contextWindow: null, vision: true, thinking: null, price: null },
      ],
      routes: [
        { category: 'default', model: 'm', at: 1, of: 1 },
        { category: 'review', model: 'n', at: 1, of: 2 },
        { category: 'review', model: 'm', at: 2, of: 2 },
      ],
      revision: expect.any(String),
    })
    expect(JSON.stringify(details)).not.toContain('sk-in-file')
    await expect(engine.api.providerDetails('nobody')).rejects.toMatchObject({ code: 'unknown-provider' })
  })

  it('writes all of an edit at once, runs it, and takes it back', async () => {
    await configured({ p }, { default: ['p.m'] })
    const before = await configText()
    const after = await update({
      name: 'q',
      baseUrl: 'http://127.0.0.1:8/v1',
      keys: [{ was: 'main', alias: 'main', from: { secret: ' sk-new ' } }],
    })
    expect(after).toMatchObject({ id: 'q', baseUrl: 'http://127.0.0.1:8/v1', keys: [{ from: 'secret' }] })
    expect(await secrets()).toEqual({ 'q-main': 'sk-new' })
    expect(await configText()).toContain('// mine\n')
    expect(await configText()).not.toContain('sk-')
    expect((await engine.api.routing()).routes).toEqual({ default: [{ target: 'q.m', weight: null }] })
    await engine.api.undoConfig()
    expect(await configText()).toBe(before)
  })

  it('overwrites nothing that was changed meanwhile, and keeps no secret of an edit that came to nothing', async () => {
    await configured({ p })
    const { revision } = await engine.api.providerDetails('p')
    const elsewhere = (await configText()).replace('/v1', '/v2')
    await writeFile(file(), elsewhere)
    const keys = [{ was: 'main', alias: 'main', from: { secret: 'sk-new' } }]
    await expect(engine.api.updateProvider({ provider: 'p', revision, keys })).rejects.toMatchObject({
      code: 'provider-changed',
    })
    expect([await configText(), await secrets()]).toEqual([elsewhere, {}])
    await update({ keys })
    expect(await secrets()).toEqual({ 'p-main': 'sk-new' })
  })

  it('names the field that is wrong, and writes nothing', async () => {
    await configured({ p, taken: p })
    const before = await configText()
    await expect(update({ baseUrl: 'nowhere' })).rejects.toMatchObject({
      code: 'config-invalid',
      details: { field: 'providers.p.baseUrl' },
    })
    await expect(update({ name: 'taken' })).rejects.toMatchObject({
      code: 'provider-exists',
      details: { field: 'providers.taken' },
    })
    await expect(update({ keys: [{ was: null, alias: 'x', from: null }] })).rejects.toMatchObject({ code: 'bad-key' })
    await expect(update({ keys: [{ was: 'nobody', alias: 'x', from: null }] })).rejects.toMatchObject({
      code: 'key-unknown',
    })
    expect(await configText()).toBe(before)
  })

  it('tests one key by itself', async () => {
    const { url } = await upstream(({ key }) =>
      key.endsWith('sk-good') ? { body: { data: [{ id: 'm' }] } } : { status: 401, body: {} },
    )
    const keys = [
      { alias: 'old', env: 'BAD_KEY' },
      { alias: 'new', env: 'GOOD_KEY' },
    ]
    await configured({ p: { ...p, baseUrl: url, keys } })
    expect(await engine.api.testProvider('p')).toMatchObject({ kind: 'answered', key: 'new' })
    expect(await engine.api.testProvider({ provider: 'p', key: 'old' })).toMatchObject({
      kind: 'failed',
      key: 'old',
      status: 401,
    })
    expect(await engine.api.testProvider({ provider: 'p', key: 'nobody' })).toMatchObject({
      kind: 'failed',
      message: 'p has no key “nobody”.',
    })
  })
})

describe('models fetched from a provider', () => {
  const keyed = (type: string, baseUrl: string, env = 'GOOD_KEY') => ({
    p: { type, baseUrl, keys: [{ alias: 'main', env }] },
  })
  const ids = async () => {
    const result = await engine.api.providerModels('p')
    return result.kind === 'listed' ? [result.key, result.whole, ...result.models.map(({ id }) => id)] : result
  }

  it('come from its own list, with its key', async () => {
    const { url, asked } = await upstream(() => ({ body: { object: 'list', data: [{ id: 'a' }, { id: 'b' }] } }))
    await configured(keyed('openai-chat', `${url}/v1`))
    expect(await ids()).toEqual(['main', true, 'a', 'b'])
    expect(asked).toEqual([{ path: '/v1/models', key: 'Bearer sk-good' }])
  })

  it.each([
    [
      'anthropic',
      '/v1/models?limit=1000',
      '&after_id=b',
      { data: [{ id: 'a' }, { id: 'b' }], has_more: true, last_id: 'b' },
      { data: [{ id: 'c' }], has_more: false, last_id: 'c' },
    ],
    [
      'gemini',
      '/v1beta/models?pageSize=1000',
      '&pageToken=t%2F2',
      { models: [{ name: 'models/a' }, { name: 'models/b' }], nextPageToken: 't/2' },
      { models: [{ name: 'models/c' }] },
    ],
  ])('of %s come from all its pages', async (type, path, more, first, second) => {
    const { url, asked } = await upstream((one) => ({ body: one.path.endsWith(more) ? second : first }))
    await configured(keyed(type, url))
    expect(await ids()).toEqual(['main', true, 'a', 'b', 'c'])
    expect(asked).toEqual([
      { path, key: 'sk-good' },
      { path: `${path}${more}`, key: 'sk-good' },
    ])
  })

  it('of a list that goes round in a circle are taken once', async () => {
    const { url, asked } = await upstream(() => ({ body: { data: [{ id: 'a' }], has_more: true, last_id: 'a' } }))
    await configured(keyed('anthropic', url))
    expect(await ids()).toEqual(['main', false, 'a'])
    expect(asked).toHaveLength(2)
  })

  it('are asked for with the next key where one is refused, and with no other where it is not the key', async () => {
    const { url, asked } = await upstream(({ key }) =>
      key.endsWith('sk-bad') ? { status: 401, body: { error: { message: 'no sk-bad here' } } } : { body: { data: [] } },
    )
    await configured(keyed('openai-chat', url, 'BAD_KEY'))
    expect(await ids()).toMatchObject({
      kind: 'failed',
      code: 'key-refused',
      message: 'The key “main” was refused (401). It says: no [hidden] here',
    })
    const keys = [
      { alias: 'a', env: 'BAD_KEY' },
      { alias: 'b', env: 'NOT_SET' },
      { alias: 'c', env: 'GOOD_KEY' },
    ]
    await configured({ p: { type: 'openai-chat', baseUrl: url, keys } })
    expect(await ids()).toEqual(['c', true])
    expect(asked.map(({ key }) => key)).toEqual(['Bearer sk-bad', 'Bearer sk-bad', 'Bearer sk-good'])
  })

  it('are not looked for behind a redirect: the key is for this address', async () => {
    const elsewhere = await upstream(() => ({ body: { data: [{ id: 'a' }] } }))
    const { url } = await upstream(() => ({ status: 302, location: `${elsewhere.url}/v1/models`, body: '' }))
    await configured(keyed('openai-chat', url))
    expect(await ids()).toMatchObject({ kind: 'failed', code: 'redirected', status: 302 })
    expect(elsewhere.asked).toEqual([])
  })

  it.each([
    [404, {}, 'no-list'],
    [200, '<html>hello</html>', 'no-list'],
    [429, {}, 'limit'],
    [500, {}, 'refused'],
  ])('that are none (%s) are said to be none', async (status, body, code) => {
    const { url } = await upstream(() => ({ status, body }))
    await configured(keyed('openai-chat', url))
    expect(await ids()).toMatchObject({ kind: 'failed', status, code })
  })

  it('are none where only a client has the login, where nobody listens, and of no provider', async () => {
    await configured({ p: { type: 'anthropic', baseUrl: 'http://127.0.0.1:1', auth: 'client' } })
    expect(await ids()).toMatchObject({ kind: 'failed', code: 'client-login' })
    await configured(keyed('openai-chat', 'http://127.0.0.1:1'))
    expect(await ids()).toMatchObject({ kind: 'failed', code: 'upstream-unreachable' })
    await expect(engine.api.providerModels('nobody')).rejects.toMatchObject({ code: 'unknown-provider' })
  })
})
