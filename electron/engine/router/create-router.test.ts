import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { OnwardError } from '../base/errors.ts'
import { ask, routerScene, targetOf, threeInOrder } from './testing/scene.ts'
import type { RouteChoice, Tried } from './types.ts'
import { runs } from '../../../shared/testing/runs.ts'

const example: ConfigInput = {
  providers: {
    glm: {
      type: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9001/v1',
      keys: [
        { alias: 'main', env: 'GLM_KEY' },
        { alias: 'spare', value: 'sk-2' },
      ],
      models: { 'glm-5': {} },
    },
    anth: {
      type: 'anthropic',
      baseUrl: 'http://127.0.0.1:9002',
      keys: [{ alias: 'main', value: 'sk-3' }],
      models: { 'claude-x': {} },
    },
  },
  routes: { default: ['glm.glm-5', 'anth.claude-x'], background: ['glm.glm-5'] },
  aliases: { sonnet: 'glm.glm-5' },
}
const router = (input: ConfigInput, env: Record<string, string> = { GLM_KEY: 'sk-1' }) => routerScene(input, env)
const failed = (choice: RouteChoice, failure = '503'): Tried => ({ choice, failure })

describe('router', () => {
  it('follows the default route in its order', () => {
    const r = router(example)
    expect(r.choose(ask())).toMatchObject({
      providerId: 'glm',
      upstreamModel: 'glm-5',
      key: { alias: 'main', value: 'sk-1' },
    })
    expect(r.choose(ask({ entry: 'messages' }))).toMatchObject({
      providerId: 'glm',
      fact: {
        category: 'default',
        why: [{ code: 'category', category: 'default', because: { code: 'otherwise' } }],
        skipped: [],
      },
    })
  })

  it.each([['glm/glm-5'], ['glm,glm-5'], ['glm.glm-5'], ['sonnet']])('takes %s as an address', (model) => {
    expect(router(example).choose(ask({ model }))).toMatchObject({ providerId: 'glm', upstreamModel: 'glm-5' })
  })

  it('keeps dots and slashes of the model', () => {
    expect(router(example).choose(ask({ model: 'glm/org/name-1.5' }))).toMatchObject({ upstreamModel: 'org/name-1.5' })
  })

  it('obeys markers: force over prefer over allow, disables over all', () => {
    const r = router({
      providers: { a: { type: 'openai-chat', models: { m: {} } }, b: { type: 'openai-chat', models: { m: {} } } },
      routes: { default: ['a.m', 'b.m'] },
    })
    const none = { allow: null, prefer: null, force: null, disabled: [] }
    expect(r.choose(ask({ overrides: { ...none, allow: ['b'] } })).providerId).toBe('b')
    expect(r.choose(ask({ overrides: { ...none, prefer: 'b.m' } })).providerId).toBe('b')
    expect(r.choose(ask({ overrides: { ...none, force: 'a.m', allow: ['b'] } })).providerId).toBe('a')
    expect(r.choose(ask({ overrides: { ...none, prefer: 'b.m', disabled: ['b'] } })).providerId).toBe('a')
    expect(() => r.choose(ask({ overrides: { ...none, force: 'b.m', disabled: ['b.m'] } }))).toThrow(
      /disabled in this session/,
    )
  })

  it('goes to the next key after a refusal, and lets the refused one rest', async () => {
    const r = router(example)
    const first = r.choose(ask())
    r.refuse(first, 429, { 'retry-after': '30' })
    expect(r.choose(ask(), [failed(first, '429')]).key?.alias).toBe('spare')
    expect(r.choose(ask()).key?.alias).toBe('spare')
    await r.clock.advance(31_000)
    expect(r.choose(ask())).toMatchObject({
      key: { alias: 'main' },
      fact: { why: expect.arrayContaining([{ code: 'trial' }]) },
    })
  })

  it('uses what rests when everything does', () => {
    const r = router({ ...example, routes: { default: ['anth.claude-x'] } })
    r.refuse(r.choose(ask()), 401)
    expect(r.choose(ask())).toMatchObject({
      providerId: 'anth',
      fact: { why: expect.arrayContaining([{ code: 'all-rest' }]) },
    })
  })

  it('names a key without a value', () => {
    expect(router(example, {}).choose(ask())).toMatchObject({
      key: { alias: 'spare' },
      fact: {
        skipped: expect.arrayContaining([
          {
            candidate: 'glm.glm-5',
            why: { code: 'key-missing', key: 'main', why: 'the environment variable GLM_KEY is not set' },
          },
        ]),
      },
    })
  })

  it('runs on the simulator where nothing is configured', () => {
    for (const entry of ['chat', 'responses', 'messages', 'gemini'] as const)
      expect(router({}).choose(ask({ entry }))).toMatchObject({ type: 'simulator', key: null })
  })

  it('passes the client’s model on where no route is configured', () => {
    const r = router({ providers: { only: { type: 'openai-responses', baseUrl: 'http://127.0.0.1:1/v1' } } })
    expect(r.choose(ask({ entry: 'responses', model: 'gpt-x' }))).toMatchObject({
      providerId: 'only',
      upstreamModel: 'gpt-x',
    })
  })

  it('says what was tried when nothing fits', () => {
    const r = router({ providers: { g: { type: 'gemini', models: { m: {} } } }, routes: { default: ['g.m'] } })
    const counting = ask({ endpoint: 'count', kind: 'count' })
    expect(() => r.choose(counting)).toThrow(OnwardError)
    expect(() => r.choose(counting)).toThrow(/g\/m: speaks gemini/)
    expect(r.explain(counting)).toMatchObject({
      kind: 'nowhere',
      message: expect.stringMatching(/g\/m: speaks gemini/),
    })
  })

  it('never picks what is disabled or tried while something else is there, and chooses the same again', () => {
    const ids = ['a', 'b', 'c']
    fc.assert(
      fc.property(fc.subarray(ids), fc.subarray(ids), (disabled, gone) => {
        const r = router(threeInOrder)
        const wanted = ask({ overrides: { disabled } })
        const tried = ids
          .filter((id) => gone.includes(id))
          .map((id) => failed(router(threeInOrder).choose(ask({ model: `${id}.m` }))))
        const left = ids.filter((id) => !disabled.includes(id) && !gone.includes(id))
        if (left.length === 0) expect(() => r.choose(wanted, tried)).toThrow(OnwardError)
        else {
          expect(r.choose(wanted, tried).providerId).toBe(left[0])
          expect(r.choose(wanted, tried)).toEqual(r.choose(wanted, tried))
        }
      }),
      runs(100),
    )
  })
})

describe('a request that only its own vendor can take', () => {
  const two: ConfigInput = {
    providers: {
      chat: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1/a', auth: 'none', models: { m: {} } },
      anth: { type: 'anthropic', baseUrl: 'http://127.0.0.1:1/b', auth: 'none', models: { m: {} } },
    },
    routes: { default: ['chat.m', 'anth.m'] },
  }
  const alone: ConfigInput = { ...two, routes: { default: ['chat.m'] } }

  it.each([
    ['messages', 'thread', 'thread_unsupported_request'],
    ['responses', 'compaction', 'compaction_unsupported'],
  ] as const)('in %s for its %s goes past the others, and is refused for good by them alone', (entry, bound, code) => {
    const asked = ask({ entry, needs: { bound } })
    if (entry === 'messages') expect(targetOf(routerScene(two).choose(asked))).toBe('anth.m')
    expect(() => routerScene(alone).choose(asked)).toThrow(expect.objectContaining({ code, status: 400 }) as Error)
  })
  it('to be compacted by its endpoint is refused alike', () => {
    const asked = ask({ entry: 'responses', endpoint: 'compact', kind: 'compaction' })
    expect(() => routerScene(alone).choose(asked)).toThrow(
      expect.objectContaining({ code: 'compaction_unsupported', status: 400 }) as Error,
    )
  })
})
