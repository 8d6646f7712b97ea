import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { candidatesFor } from './candidates.ts'
import { ask, type AskPatch } from './testing/scene.ts'

/** Routes and aliases over two providers. */
const example: ConfigInput = {
  providers: {
    glm: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9001/v1', models: { 'glm-5': {} } },
    anth: { type: 'anthropic', baseUrl: 'http://127.0.0.1:9002', models: { 'claude-x': {} } },
  },
  routes: { default: ['glm.glm-5', 'anth.claude-x'], background: ['glm.glm-5'] },
  aliases: { sonnet: 'glm.glm-5', fast: 'haiku-4', big: 'sonnet', left: 'right', right: 'left' },
}
const targets = (patch: AskPatch, input = example) => {
  const { list, why } = candidatesFor(ask(patch), configSchema.parse(input))
  return { to: list.map((c) => `${c.providerId}.${c.model}`), routes: list.map((c) => c.category), why }
}
const alias = (name: string, target: string) => ({ code: 'alias', name, target })

describe('aliases', () => {
  it('name an address, another alias, or a model that then goes its usual way', () => {
    expect(targets({ model: 'sonnet' })).toEqual({
      to: ['glm.glm-5'],
      routes: [null],
      why: [alias('sonnet', 'glm.glm-5')],
    })
    expect(targets({ model: 'big' }).why).toEqual([alias('big', 'sonnet'), alias('sonnet', 'glm.glm-5')])
    expect(targets({ model: 'fast' })).toEqual({
      to: ['glm.glm-5', 'anth.claude-x'],
      routes: ['background', 'default'],
      why: [alias('fast', 'haiku-4')],
    })
  })

  it('in a circle end', () => {
    expect(targets({ model: 'left' }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'constructor.name', '__proto__/x'])(
    'a model called %s is only a name',
    (model) => {
      expect(targets({ model }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
      expect(targets({ model }, { ...example, routes: {} }).to).toEqual([`glm.${model}`, 'anth.claude-x'])
    },
  )
})

describe('a review', () => {
  const review: AskPatch = { kind: 'probe', model: 'review', sessionId: null }
  it('goes to the model that is set for it, else to a route, else to a model some provider has', () => {
    expect(targets({ ...review, model: 'anth.claude-x' }).to).toEqual(['anth.claude-x'])
    expect(targets(review)).toMatchObject({ to: ['glm.glm-5', 'anth.claude-x'], routes: ['default', 'default'] })
    expect(targets(review, { ...example, routes: {} }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
  })
})

describe('protocols', () => {
  it.each(['chat', 'responses', 'messages'] as const)(
    'a %s client goes where the route says: other protocols are converted',
    (entry) => {
      expect(targets({ entry }).to).toEqual(['glm.glm-5', 'anth.claude-x'])
    },
  )

  it('what can’t be converted stays with its own', () => {
    const { list, skipped } = candidatesFor(
      ask({ entry: 'messages', endpoint: 'count', kind: 'count' }),
      configSchema.parse(example),
    )
    expect(list.map((c) => c.providerId)).toEqual(['anth'])
    expect(skipped).toEqual([
      { candidate: 'glm.glm-5', why: { code: 'protocol', type: 'openai-chat', entry: 'messages' } },
    ])
  })

  it('without routes the client’s own come first, and others with a model they know', () => {
    expect(targets({ entry: 'messages' }, { ...example, routes: {} }).to).toEqual(['anth.gpt-x', 'glm.glm-5'])
    expect(targets({ entry: 'messages', model: 'glm-5' }, { ...example, routes: {} }).to).toEqual(['glm.glm-5'])
  })
})

describe('the client’s own credential', () => {
  const own: ConfigInput = {
    providers: {
      anth: { type: 'anthropic', auth: 'client' },
      oai: { type: 'openai-responses', auth: 'client', models: { g: {} } },
      sim: { type: 'simulator' },
    },
  }

  it.each([
    ['messages', ['anth', 'sim']],
    ['responses', ['oai', 'sim']],
    ['chat', ['oai', 'sim']],
    ['gemini', ['sim']],
  ] as const)('of a %s client goes to providers of its vendor only', (entry, to) => {
    const { list, skipped } = candidatesFor(ask({ entry, credential: 'someone' }), configSchema.parse(own))
    expect(list.map((c) => c.providerId).toSorted()).toEqual(to.toSorted())
    expect(skipped.every((s) => s.why.code === 'no-credential')).toBe(true)
  })

  it('is missed where the client sends none, also when the provider is addressed or forced', () => {
    for (const patch of [{}, { model: 'anth/x' }, { overrides: { force: 'anth.x' } }])
      expect(
        candidatesFor(ask({ entry: 'messages', ...patch }), configSchema.parse(own)).list.map((c) => c.providerId),
      ).not.toContain('anth')
  })
})

describe('markers', () => {
  const of = (overrides: AskPatch['overrides'], model = 'gpt-x') =>
    targets(
      { model, ...(overrides ? { overrides } : {}) },
      { ...example, routes: { default: ['glm.glm-5', 'anth.claude-x'] } },
    ).to

  it('force is exact, prefer goes first, the allow-list keeps the rest away, disables apply to all', () => {
    expect(of({ force: 'anth.claude-x', allow: ['glm'], prefer: 'glm.glm-5' })).toEqual(['anth.claude-x'])
    expect(of({ prefer: 'anth.claude-x' })).toEqual(['anth.claude-x', 'glm.glm-5'])
    expect(of({ prefer: 'anth.claude-x', allow: ['glm'] })).toEqual(['glm.glm-5'])
    expect(of({ allow: ['anth'] })).toEqual(['anth.claude-x'])
    expect(of({ disabled: ['glm'] })).toEqual(['anth.claude-x'])
    expect(of({ disabled: ['glm.glm-5'] })).toEqual(['anth.claude-x'])
    expect(of({ force: 'glm.glm-5', disabled: ['glm'] })).toEqual([])
  })
})

describe('the built-in simulator', () => {
  it('is reached by its name beside configured providers, and in no other way', () => {
    expect(targets({ model: 'simulator/simulator' }).to).toEqual(['simulator.simulator'])
    expect(targets({ model: 'simulator' }).to).not.toContain('simulator.simulator')
    expect(targets({ model: 'x' }, { ...example, routes: {} }).to).toEqual(['glm.x', 'anth.claude-x'])
  })
})
