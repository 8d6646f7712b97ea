import { describe, expect, it } from 'vitest'
import { settingRule } from '../../shared/config/setting-rules.ts'
import type { ControlApi } from '../../shared/operations/index.ts'
import type { ProviderView, RouteAnswer, RouteQuestion } from '../../shared/routing.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { onward } from './testing/test-cli.ts'

const { against } = cliHomes()

const view = (more: Partial<ProviderView>): ProviderView => ({
  id: 'glm',
  type: 'openai-chat',
  baseUrl: 'https://api.glm.example/v1',
  auth: 'key',
  models: [],
  keys: [{ alias: 'main', from: 'env', state: { kind: 'ready' } }],
  health: { kind: 'healthy' },
  quotas: [],
  calls: [],
  ttfbMs: 812,
  sessions: 0,
  routes: ['default'],
  local: false,
  ...more,
})
const refused = { why: 'refused', status: 401, until: sceneTime + 60_000 } as const
const views = [
  view({}),
  view({
    id: 'qwen',
    health: { kind: 'resting', rest: { why: 'failures', count: 3, until: sceneTime + 42_000 }, models: [] },
    ttfbMs: null,
  }),
  view({
    id: 'router',
    keys: [
      { alias: 'main', from: 'value', state: { kind: 'resting', rest: refused } },
      { alias: 'spare', from: 'secret', state: { kind: 'ready' } },
    ],
    health: { kind: 'some-keys', keys: ['main'] },
  }),
  view({ id: 'anth', type: 'anthropic', auth: 'client', keys: [], health: { kind: 'unused' } }),
  view({ id: 'simulator', type: 'simulator', baseUrl: null, auth: 'none', keys: [], health: { kind: 'no-key' } }),
]

const settings: ControlApi['settings'] = async () => ({
  settings: [
    { ...settingRule('limits.order'), name: 'limits.order', value: ['key', 'wait'] },
    { ...settingRule('limits.pauseAt'), name: 'limits.pauseAt', value: 0 },
  ],
  keys: [],
})

describe('providers', () => {
  it('come in rows with how each does', async () => {
    const { code, out } = await against({ providers: async () => views, settings }, ['providers'])
    expect(code).toBe(0)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([
      '✓ glm | openai-chat | api.glm.example | 1 key | 0.8 s | Healthy',
      '◐ qwen | openai-chat | api.glm.example | 1 key | Cooling down for 42 s after 3 failures, then one trial call',
      '◆ router | openai-chat | api.glm.example | 1 of 2 keys | ' +
        '0.8 s | Key “main” rests. Turns use the others meanwhile',
      '○ anth | anthropic | api.glm.example | client’s login | 0.8 s | Not called yet',
      '▲ simulator | simulator | built in | no key | 0.8 s | No key has a value',
      ' | at a limit: key, wait (limits.order in the config)',
    ])
  })
  it('show how long their models may be silent, as measured', async () => {
    const silence = [{ model: 'glm-5', answers: 124, silentMs: 84_000, idleMs: 30_000 }]
    const { out } = await against({ providers: async () => [view({ silence })], settings }, ['providers'])
    expect(out.trimEnd().split('\n')[1]).toBe(
      '  glm.glm-5 may be silent for 84 s before it speaks and 30 s after (from 124 answers)',
    )
  })
  it('are JSON for programs', async () => {
    expect(
      JSON.parse((await against({ providers: async () => views, settings }, ['providers', '--json'])).out),
    ).toEqual(views)
  })
})

describe('providers test', () => {
  const results: Record<string, Awaited<ReturnType<ControlApi['testProvider']>>> = {
    glm: { kind: 'answered', model: 'glm-5', key: 'main', ttfbMs: 300, tookMs: 420, models: [] },
    qwen: {
      kind: 'failed',
      model: 'q',
      key: 'main',
      status: 401,
      code: 'key-refused',
      message: 'The key “main” was refused (401).',
      tookMs: 100,
    },
    anth: {
      kind: 'failed',
      model: null,
      key: null,
      status: null,
      code: 'client-login',
      message: 'anth takes the login of the client that asks.',
      tookMs: 0,
    },
    list: { kind: 'answered', model: '', key: null, ttfbMs: 1, tookMs: 90, models: ['a', 'b'] },
  }
  const api = (ids: readonly string[]): Partial<ControlApi> => ({
    providers: async () => ids.map((id) => view({ id })),
    async testProvider(asked) {
      const id = typeof asked === 'string' ? asked : asked.provider
      const result = results[id]
      if (!result) throw new OnwardError('unknown-provider', `There is no provider “${id}” in the config.`)
      return result
    },
  })
  it('asks all, in their order, and fails when one fails', async () => {
    expect(await against(api(['glm', 'qwen', 'anth', 'list']), ['providers', 'test'])).toMatchObject({
      code: 1,
      out:
        '✓ glm glm-5 answered with key main 0.4 s\n▲ qwen The key “main” was refused (401).\n○ anth anth takes ' +
        'the login of the client that asks.\n✓ list lists 2 models; the config names none of them 0.1 s\n',
    })
  })
  it('does not fail for one that only its clients can ask, unless it is asked for by name', async () => {
    expect((await against(api(['glm', 'anth']), ['providers', 'test'])).code).toBe(0)
    expect((await against(api([]), ['providers', 'test', 'anth'])).code).toBe(1)
  })
  it('is JSON for programs, and 5 for one that is not there', async () => {
    const { code, out } = await against(api([]), ['providers', 'test', 'glm', '--json'])
    expect([code, JSON.parse(out)]).toEqual([0, [{ provider: 'glm', ...results['glm'] }]])
    expect(await against(api([]), ['providers', 'test', 'x'])).toMatchObject({
      code: 5,
      err: 'onward: There is no provider “x” in the config.\n',
    })
  })
})

describe('providers add', () => {
  const asked: Parameters<ControlApi['addProvider']>[0][] = []
  const api: Partial<ControlApi> = {
    async addProvider(input) {
      asked.push(input)
    },
    secretsKept: async () => ({
      keep: null,
      path: '/home/me/.onward/secrets.json',
      count: { keychain: 1, file: 0 },
      keychain: { kind: 'works' },
      moving: null,
      strays: [],
    }),
  }
  const person = {
    tty: { in: false, out: true, err: true, columns: 80 },
    readStdin: async () => 'sk-1\n',
    env: { NO_COLOR: '1' },
  }
  const run = (words: readonly string[], more: Parameters<typeof onward>[1] = {}) => {
    asked.length = 0
    return against(api, ['providers', 'add', ...words], more)
  }

  it.each([
    [
      ['deepseek', '--key-env', 'MY_KEY'],
      {
        id: 'deepseek',
        preset: 'deepseek',
        type: 'openai-chat',
        baseUrl: null,
        auth: 'key',
        key: { env: 'MY_KEY' },
        models: [],
      },
    ],
    [
      ['zai', '--id', 'work', '--key-env', 'K', '--model', 'glm-5', 'glm-5-air', '--model', 'x'],
      { id: 'work', preset: 'zai', key: { env: 'K' }, models: ['glm-5', 'glm-5-air', 'x'] },
    ],
    [
      ['ollama', '--model', 'qwen3:8b'],
      { id: 'ollama', preset: 'ollama', auth: 'none', key: null, models: ['qwen3:8b'] },
    ],
    [
      ['mine', '--type', 'anthropic', '--base-url', 'https://a.example', '--auth', 'client'],
      { id: 'mine', preset: null, type: 'anthropic', baseUrl: 'https://a.example', auth: 'client', key: null },
    ],
    [['mine', '--type', 'openai-chat', '--base-url', 'http://127.0.0.1:1/v1'], { auth: 'none', key: null }],
    [
      ['openai', '--type', 'openai-chat', '--base-url', 'http://127.0.0.1:1/v1', '--key-env', 'K'],
      { id: 'openai', preset: null, type: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1' },
    ],
  ])('%j', async (words, expected) => {
    const { code, out } = await run(words)
    expect([code, asked]).toMatchObject([0, [expected]])
    expect(out).toContain('onward providers test')
  })

  it('stores a key that a person confirms by typing the name', async () => {
    const questions: string[] = []
    const { code, out } = await run(
      ['glm', '--type', 'openai-chat', '--base-url', 'https://g.example', '--key-stdin'],
      {
        ...person,
        askLine: (question) => {
          questions.push(question)
          return 'glm'
        },
      },
    )
    expect([code, asked[0]?.key]).toEqual([0, { secret: 'sk-1' }])
    expect(questions[0]).toMatch(/Type glm to confirm: $/)
    expect(questions.join()).not.toContain('sk-1')
    expect(out).toMatch(/keychain/)
  })
  it.each([['y'], [''], ['gl']])('does not store it for “%s”', async (typed) => {
    const ran = await run(['glm', '--type', 'openai-chat', '--base-url', 'https://g.example', '--key-stdin'], {
      ...person,
      askLine: () => typed,
    })
    expect([ran.code, asked]).toEqual([4, []])
  })
  it('does not store a key where no person is', async () => {
    const ran = await run(['deepseek', '--key-stdin'], { readStdin: async () => 'sk-1' })
    expect([ran.code, asked]).toEqual([4, []])
    expect(ran.err).toContain('--key-env')
  })
  it.each([
    [['deepseek'], '--key-env DEEPSEEK_API_KEY'],
    [['nobody'], '--type'],
    [['nobody', '--type', 'anthropic'], '--base-url'],
    [['deepseek', '--key-env', 'A', '--key-stdin'], 'cannot be used with'],
    [['ollama', '--auth', 'none', '--key-env', 'A'], 'no key to give'],
    [['x', '--type', 'nothing'], 'choices'],
  ])('2 for %j', async (words, said) => {
    const ran = await run(words)
    expect([ran.code, asked]).toEqual([2, []])
    expect(ran.err).toContain(said)
  })
  it('4 in the engine’s words', async () => {
    const ran = await against(
      {
        async addProvider() {
          throw new OnwardError('provider-exists', 'There is one already.')
        },
      },
      ['providers', 'add', 'ollama'],
    )
    expect(ran).toMatchObject({ code: 4, err: 'onward: There is one already.\n' })
  })
})

describe('providers remove, config undo', () => {
  it('remove one, and take it back', async () => {
    const asked: string[] = []
    expect(
      await against(
        {
          async removeProvider(id) {
            asked.push(id)
          },
        },
        ['providers', 'remove', 'glm'],
      ),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining('✓ Removed glm. Take it back: onward config undo\n  A stored key'),
    })
    expect(asked).toEqual(['glm'])
    const routing = { routes: {}, aliases: {}, longContextThreshold: 60_000, savedAt: sceneTime, canUndo: true }
    expect((await against({ undoConfig: async () => routing }, ['config', 'undo'])).out).toBe(
      '✓ The last change is taken back. The one before it can be, too.\n',
    )
    expect(
      (
        await against(
          {
            async undoConfig() {
              throw new OnwardError('config-changed', 'It was changed.')
            },
          },
          ['config', 'undo'],
        )
      ).code,
    ).toBe(4)
  })
})

describe('config put-back', () => {
  it('says where the wrong one is kept', async () => {
    const kept = '/home/ada/.onward/config.broken-1.json'
    expect(await against({ putBackConfig: async () => ({ kept }) }, ['config', 'put-back'])).toMatchObject({
      code: 0,
      out: `✓ The last config that was right is back. The other one is kept: ${kept}\n`,
    })
  })
})

describe('route', () => {
  const goes: RouteAnswer = {
    kind: 'goes',
    contextWindow: 200_000,
    route: {
      provider: 'zai',
      model: 'glm-5',
      keyAlias: 'main',
      category: 'longContext',
      why: [
        { code: 'category', category: 'longContext', because: { code: 'long', tokens: 82_000, threshold: 60_000 } },
      ],
      skipped: [
        {
          candidate: 'qwen.qwen3.5-coder',
          why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: sceneTime + 42_000 } },
        },
      ],
    },
  }
  it('says where to, by which steps, and who was passed over', async () => {
    const asked: RouteQuestion[] = []
    const { code, out } = await against(
      {
        async routeCheck(question) {
          asked.push(question)
          return goes
        },
      },
      ['route', 'claude-sonnet', '--tokens', '82_000', '--image', '--entry', 'chat', '--session', 'billing'],
    )
    expect(code).toBe(0)
    expect(out).toBe(
      'Goes to zai/glm-5, key main (nothing is sent)\n  ✓ Route longContext: about ' +
        '82 000 tokens are over 60 000\n  ○ qwen/qwen3.5-coder passed over: cooling ' +
        'down for 42 s after 3 failures\n  ✓ zai/glm-5 takes 200 000 tokens\n',
    )
    expect(asked).toEqual([
      {
        model: 'claude-sonnet',
        tokens: 82_000,
        thinking: false,
        image: true,
        webSearch: false,
        entry: 'chat',
        kind: 'turn',
        session: 'billing',
      },
    ])
  })
  it('fails where it goes nowhere', async () => {
    const { code, out } = await against(
      {
        routeCheck: async () => ({
          kind: 'nowhere',
          message: 'No provider can take it.',
          why: [{ code: 'no-routes' }],
          skipped: [{ candidate: 'a.m', why: { code: 'disabled' } }],
        }),
      },
      ['route'],
    )
    expect(code).toBe(1)
    expect(out).toMatch(
      /^▲ Goes nowhere\. No provider can take it\.\n {2}✓ No route is configured.*\n {2}○ a\/m passed over: disabled in this session\n$/,
    )
  })
  it('is JSON for programs, and does not take what is no number', async () => {
    expect(JSON.parse((await against({ routeCheck: async () => goes }, ['route', '--json'])).out)).toEqual(goes)
    expect((await against({}, ['route', '--tokens', 'many'])).code).toBe(2)
  })
})

describe('config collector-header', () => {
  const stored: unknown[] = []
  const run = (typed: string, tty: { tty?: { in: boolean; out: boolean; err: boolean; columns: number } }) => {
    stored.length = 0
    const api: Partial<ControlApi> = { saveCollectorHeader: async (input) => void stored.push(input) }
    return against(api, ['config', 'collector-header', 'authorization'], {
      ...tty,
      readStdin: async () => 'Bearer abc\n',
      askLine: () => typed,
    })
  }
  const atTerminal = { tty: { in: false, out: true, err: true, columns: 80 } }

  it('stores what a person confirms, and does not show it', async () => {
    const { code, out, err } = await run('authorization', atTerminal)
    expect([code, stored]).toEqual([0, [{ name: 'authorization', secret: 'Bearer abc' }]])
    expect(out + err).not.toContain('abc')
  })
  it('stores nothing that is not confirmed, or that a program hands over', async () => {
    expect([(await run('no', atTerminal)).code, stored]).toEqual([4, []])
    const ran = await run('authorization', {})
    expect([ran.code, stored]).toEqual([4, []])
    expect(ran.err).toContain('${NAME}')
  })
})
