import { mkdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Input } from '../shared/operations/index.ts'
import type { EngineUpdate } from '../shared/state.ts'
import type { Engine } from './engine/engine.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { engineInProcess, listenOnLoopback } from './testing/engine-in-process.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

type Answer = (request: IncomingMessage, body: string) => { status: number; body: unknown; type?: string } | null
/** A provider that gives the test's answer; null: never. */
async function upstream(
  answer: Answer,
): Promise<{ url: string; asked: { path: string; key: string; body: unknown }[] }> {
  const asked: { path: string; key: string; body: unknown }[] = []
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      asked.push({
        path: request.url ?? '',
        key: String(
          request.headers['authorization'] ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'] ?? '',
        ),
        body: body === '' ? null : JSON.parse(body),
      })
      const told = answer(request, body)
      if (told)
        response
          .writeHead(told.status, { 'content-type': told.type ?? 'application/json' })
          .end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body))
    })
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return { url, asked }
}

let home = ''
let engine: Engine
const configText = () => readFile(join(home, 'config.json'), 'utf8')
beforeEach(async () => {
  home = temp()
  mkdirSync(join(home, 'state'))
  await writeFile(join(home, 'config.json'), '// mine\n{\n  "server": { "port": 0 } // any\n}\n')
  engine = await engineInProcess({ home, env: { GOOD_KEY: 'sk-good' }, port: null })
  over.push(() => engine.dispose())
})

const provider = (more: Partial<Input<'addProvider'>> & { id: string }): Input<'addProvider'> => ({
  preset: null,
  type: 'openai-chat',
  baseUrl: null,
  auth: 'key',
  key: null,
  models: [],
  ...more,
})
const chatAnswer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }],
}

describe('providers changed from here', () => {
  it('a key is kept apart, for its owner only, and its provider serves at once', async () => {
    const { url, asked } = await upstream(() => ({ status: 200, body: chatAnswer }))
    await engine.api.addProvider(
      provider({ id: 'glm', baseUrl: `${url}/v1`, key: { secret: ' sk-secret\n' }, models: ['glm-5'] }),
    )
    expect(await configText()).toBe(
      '// mine\n{\n  "server": { "port": 0 }, // any\n  "providers": {\n    "glm": {\n      ' +
        `"type": "openai-chat",\n      "baseUrl": "${url}/v1",\n      "keys": [{ "alias": ` +
        '"main", "secretRef": "glm-main" }],\n      "models": { "glm-5": {} }\n    }\n  }\n}\n',
    )
    expect((await stat(join(home, 'secrets.json'))).mode & 0o777).toBe(0o600)
    const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'glm-5', messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(answer.status).toBe(200)
    expect(asked.map((a) => a.key)).toEqual(['Bearer sk-secret'])
  })

  it('a preset says where and how, and what is there is not replaced', async () => {
    await engine.api.addProvider(provider({ id: 'zai', preset: 'zai-anthropic', key: { env: 'GOOD_KEY' } }))
    await engine.api.addProvider(provider({ id: 'mine', preset: 'ollama' }))
    expect(await configText()).toContain('"quirks": { "authHeader": "bearer" }')
    expect(await configText()).toContain('"baseUrl": "http://127.0.0.1:11434/v1",\n      "auth": "none"\n')
    await expect(
      engine.api.addProvider(provider({ id: 'zai', preset: 'ollama', key: { secret: 'sk-1' } })),
    ).rejects.toMatchObject({ code: 'provider-exists' })
    await expect(engine.api.addProvider(provider({ id: 'x', preset: 'nobody' }))).rejects.toMatchObject({
      code: 'unknown-preset',
    })
    await expect(
      engine.api.addProvider(provider({ id: 'x', preset: 'zai', key: { secret: 'two words' } })),
    ).rejects.toMatchObject({ code: 'bad-key' })
    await expect(engine.api.addProvider(provider({ id: 'x', key: { secret: 'sk-1' } }))).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('needs a baseUrl'),
    })
    // The secret stored for a provider that was not added is gone, and its file with it.
    await expect(readFile(join(home, 'secrets.json'), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('routes are saved, taken back, and let go of a provider that is removed', async () => {
    const follow = new AbortController()
    const updates: EngineUpdate[] = []
    const following = (async () => {
      for await (const update of engine.api.follow(follow.signal)) updates.push(update)
    })()
    for (const id of ['a', 'b'])
      await engine.api.addProvider(provider({ id, baseUrl: 'http://127.0.0.1:9', auth: 'none', models: ['m'] }))
    const saved = await engine.api.saveRoute({
      category: 'default',
      pool: [
        { target: 'a.m', weight: 3 },
        { target: 'b.m', weight: null },
      ],
    })
    expect(saved).toMatchObject({
      routes: {
        default: [
          { target: 'a.m', weight: 3 },
          { target: 'b.m', weight: null },
        ],
      },
      canUndo: true,
      savedAt: expect.any(Number),
    })
    await expect(
      engine.api.saveRoute({ category: 'default', pool: [{ target: 'nobody.m', weight: null }] }),
    ).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringMatching(/line \d+.*nobody/) })
    await engine.api.saveRoute({ category: 'vision', pool: [{ target: 'a.m', weight: null }] })
    const before = await configText()
    await engine.api.removeProvider('a')
    expect(await engine.api.routing()).toMatchObject({ routes: { default: [{ target: 'b.m', weight: null }] } })
    expect(Object.keys((await engine.api.routing()).routes)).toEqual(['default'])
    await engine.api.undoConfig()
    expect(await configText()).toBe(before)
    await expect(engine.api.removeProvider('nobody')).rejects.toMatchObject({ code: 'unknown-provider' })
    expect((await engine.api.saveRoute({ category: 'vision', pool: [] })).routes).not.toHaveProperty('vision')
    await waitFor('viewers to be told of the change', () =>
      updates.some((u) => u.type === 'providers' && u.providers.length === 2 && u.routing.canUndo),
    )
    follow.abort()
    await following
  })
})

describe('a test of a provider', () => {
  const models = { data: [{ id: 'm-1' }, { id: 'm-2' }] }
  const cases: {
    type: Input<'addProvider'>['type']
    path: string
    answer: unknown
    list: string
    body: Record<string, unknown>
  }[] = [
    {
      type: 'openai-chat',
      path: '/v1/chat/completions',
      answer: chatAnswer,
      list: '/v1/models',
      body: { model: 'm-1', max_tokens: 16 },
    },
    {
      type: 'openai-responses',
      path: '/v1/responses',
      answer: { id: 'r', object: 'response', status: 'completed', output: [] },
      list: '/v1/models',
      body: { model: 'm-1', max_output_tokens: 16 },
    },
    {
      type: 'anthropic',
      path: '/v1/messages',
      answer: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'ready' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      list: '/v1/models',
      body: { model: 'm-1', max_tokens: 16 },
    },
    {
      type: 'gemini',
      path: '/v1beta/models/m-1:generateContent',
      answer: { candidates: [{ content: { parts: [{ text: 'ready' }] }, finishReason: 'STOP' }] },
      list: '/v1beta/models',
      body: { generationConfig: { maxOutputTokens: 16 } },
    },
  ]
  it.each(cases)(
    'asks $type in its own protocol, and shows in the records as a probe',
    async ({ type, path, answer, list, body }) => {
      const { url, asked } = await upstream((request) =>
        request.method === 'GET' ? { status: 200, body: models } : { status: 200, body: answer },
      )
      await engine.api.addProvider(provider({ id: 'p', type, baseUrl: url, key: { env: 'GOOD_KEY' }, models: ['m-1'] }))
      expect(await engine.api.testProvider('p')).toMatchObject({
        kind: 'answered',
        model: 'm-1',
        key: 'main',
        models: ['m-1', 'm-2'],
      })
      expect(asked.find((a) => a.body !== null)).toMatchObject({
        path: expect.stringMatching(new RegExp(`${path.replace(/^\/v1(?=\/[cr])/, '')}$`)),
        key: expect.stringContaining('sk-good'),
        body,
      })
      expect(asked.find((a) => a.body === null)?.path.endsWith(list.replace(/^\/v1(?=\/)/, ''))).toBe(true)
      const [record] = await engine.api.turns(5)
      expect(record).toMatchObject({
        kind: 'probe',
        sessionId: null,
        status: 200,
        route: { provider: 'p', model: 'm-1' },
      })
    },
  )

  it('goes on to the next key, and says what became of the last', async () => {
    const { url, asked } = await upstream((request) =>
      request.headers['x-api-key'] === 'sk-good'
        ? { status: 200, body: cases[2]?.answer }
        : {
            status: 401,
            body: { type: 'error', error: { type: 'authentication_error', message: 'invalid key sk-bad' } },
          },
    )
    const write = async (keys: unknown) => {
      await writeFile(
        join(home, 'config.json'),
        JSON.stringify({
          server: { port: 0 },
          providers: { p: { type: 'anthropic', baseUrl: url, keys, models: { 'm-1': {} } } },
        }),
      )
      await waitFor(
        'the keys to be loaded',
        async () => (await engine.api.providers())[0]?.keys.length === (keys as unknown[]).length,
      )
    }
    await write([
      { alias: 'old', value: 'sk-bad' },
      { alias: 'gone', env: 'NO_SUCH_KEY' },
      { alias: 'new', env: 'GOOD_KEY' },
    ])
    expect(await engine.api.testProvider('p')).toMatchObject({ kind: 'answered', key: 'new' })
    expect(asked.filter((a) => a.body !== null).map((a) => a.key)).toEqual(['sk-bad', 'sk-good'])
    await write([{ alias: 'old', value: 'sk-bad' }])
    expect(await engine.api.testProvider('p')).toMatchObject({
      kind: 'failed',
      key: 'old',
      status: 401,
      code: 'key-refused',
      message: 'The key “old” was refused (401). It says: invalid key [hidden]',
    })
  })

  it('names the models there are where one is unknown', async () => {
    const { url } = await upstream((request) =>
      request.method === 'GET'
        ? { status: 200, body: models }
        : { status: 404, body: { error: { message: 'no such model' } } },
    )
    await engine.api.addProvider(provider({ id: 'p', baseUrl: url, auth: 'none', models: ['old'] }))
    expect(await engine.api.testProvider('p')).toMatchObject({
      kind: 'failed',
      status: 404,
      code: 'model-unknown',
      message: 'p does not know the model “old” (404). It lists m-1, m-2. It says: no such model',
    })
  })

  it('takes the list for an answer where no model is known', async () => {
    const { url, asked } = await upstream(() => ({ status: 200, body: models }))
    await engine.api.addProvider(provider({ id: 'p', baseUrl: url, auth: 'none' }))
    expect(await engine.api.testProvider('p')).toMatchObject({ kind: 'answered', model: '', models: ['m-1', 'm-2'] })
    expect(asked.every((a) => a.body === null)).toBe(true)
  })

  it('is not content with a page', async () => {
    const { url } = await upstream(() => ({ status: 200, body: '<html>hello</html>', type: 'text/html' }))
    await engine.api.addProvider(provider({ id: 'p', baseUrl: url, auth: 'none', models: ['m'] }))
    expect(await engine.api.testProvider('p')).toMatchObject({ kind: 'failed', code: 'no-answer' })
  })

  it('says that nobody answers, and that a login is the client’s', async () => {
    await engine.api.addProvider(provider({ id: 'down', baseUrl: 'http://127.0.0.1:1', auth: 'none', models: ['m'] }))
    await engine.api.addProvider(
      provider({ id: 'login', type: 'anthropic', baseUrl: 'http://127.0.0.1:1', auth: 'client' }),
    )
    await engine.api.addProvider(
      provider({ id: 'keyless', baseUrl: 'http://127.0.0.1:1', key: { env: 'NO_SUCH_KEY' }, models: ['m'] }),
    )
    expect(await engine.api.testProvider('down')).toMatchObject({
      kind: 'failed',
      model: 'm',
      status: null,
      code: 'upstream-unreachable',
    })
    expect(await engine.api.testProvider('login')).toMatchObject({ kind: 'failed', code: 'client-login' })
    expect(await engine.api.testProvider('keyless')).toMatchObject({
      kind: 'failed',
      code: 'key-missing',
      message: 'The key “main” has no value: the environment variable NO_SUCH_KEY is not set.',
    })
  })

  it.each(['nobody', '__proto__', 'constructor'])('there is none called %s', async (id) => {
    for (const asked of [
      () => engine.api.testProvider(id),
      () => engine.api.testProvider({ provider: id, key: 'main' }),
      () => engine.api.providerDetails(id),
      () => engine.api.providerModels(id),
      () => engine.api.removeProvider(id),
    ])
      await expect(asked()).rejects.toMatchObject({ code: 'unknown-provider' })
  })

  it('works on the built-in simulator', async () => {
    expect(await engine.api.testProvider('simulator')).toMatchObject({
      kind: 'answered',
      model: 'simulator',
      key: null,
    })
  })
})

describe('a refusal whose body never ends', () => {
  /** it says why, then goes on with blanks for as long as a client reads */
  async function endless(status: number): Promise<{ url: string; asked: () => number }> {
    let asked = 0
    const server = createServer((request, response) => {
      asked += 1
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.write('{"error":{"message":"not today"}')
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(8_192)));
      }
      response.on('drain', more)
      more()
    })
    const { url, end } = await listenOnLoopback(server)
    over.push(end)
    return { url, asked: () => asked }
  }

  it('does not keep a turn from the next provider', async () => {
    const bad = await endless(503)
    const good = await upstream(() => ({ status: 200, body: chatAnswer }))
    for (const [id, url] of [
      ['bad', bad.url],
      ['good', good.url],
    ] as const)
      await engine.api.addProvider(provider({ id, baseUrl: url, auth: 'none', models: ['m'] }))
    await engine.api.saveRoute({
      category: 'default',
      pool: ['bad.m', 'good.m'].map((target) => ({ target, weight: null })),
    })
    const { host, port } = engine.address
    const answer = await fetch(`http://${host}:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'ready' } }] })
    expect(bad.asked()).toBe(1)
  })

  it('is the answer to a question for models, and to a trial', async () => {
    const { url } = await endless(403)
    await engine.api.addProvider(provider({ id: 'p', baseUrl: url, key: { secret: 'sk-x' } }))
    const refused = { kind: 'failed', status: 403, code: 'key-refused' }
    expect(await engine.api.testProvider('p')).toMatchObject(refused)
    expect(await engine.api.providerModels('p')).toMatchObject(refused)
    await engine.api.addProvider(provider({ id: 'q', baseUrl: url, key: { secret: 'sk-x' }, models: ['m'] }))
    expect(await engine.api.testProvider('q')).toMatchObject(refused)
  })
})
