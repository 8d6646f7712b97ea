import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { requestKinds } from '../../../shared/words.ts'
import { candidatesFor, classify, isSmallModel, type StandIn } from './candidates.ts'
import { prepared } from './prepared.ts'
import { ask, type AskPatch, routerScene, targetOf, threeInOrder } from './testing/scene.ts'

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

const all: NonNullable<ConfigInput['routes']> = Object.fromEntries(
  ['default', 'background', 'thinking', 'longContext', 'vision', 'webSearch', 'coding', 'review'].map((name) => [
    name,
    ['p.m'],
  ]),
)

const categories = (patch: AskPatch, routes = all) => {
  const config = configSchema.parse({ providers: { p: { type: 'simulator', models: { m: {} } } }, routes })
  const asked = ask(patch)
  return classify(asked, asked.model, config, prepared(config))
}

const names = (patch: AskPatch, routes = all) => categories(patch, routes).map((c) => c.category)

describe('a request’s routes', () => {
  it.each<[string, AskPatch, string[]]>([
    ['plain', {}, ['default']],
    ['thinking', { needs: { thinking: true } }, ['thinking', 'default']],
    ['exactly at the threshold', { needs: { tokens: 60_000 } }, ['default']],
    ['long', { needs: { tokens: 60_001 } }, ['longContext', 'default']],
    ['an image', { needs: { image: true } }, ['vision', 'default']],
    ['a web search', { needs: { webSearch: true } }, ['webSearch', 'default']],
    [
      'everything at once',
      { needs: { tokens: 90_000, image: true, webSearch: true, thinking: true } },
      ['vision', 'longContext', 'webSearch', 'thinking', 'default'],
    ],
    [
      'a small model that thinks',
      { model: 'claude-haiku-4-5', needs: { thinking: true } },
      ['background', 'thinking', 'default'],
    ],
    ['a route by its name', { model: 'coding', needs: { thinking: true } }, ['coding', 'default']],
    ['the default route by its name', { model: 'default' }, ['default']],
  ])('%s', (_, patch, expected) => {
    expect(names(patch)).toEqual(expected)
  })

  it.each(requestKinds.map((kind) => [kind, kind === 'title' || kind === 'probe'] as const))(
    '%s is auxiliary: %s',
    (kind, auxiliary) => {
      expect(names({ kind })).toEqual(auxiliary ? ['background', 'default'] : ['default'])
    },
  )

  it('take the client’s small model, but no compaction or count of its conversation', () => {
    expect(
      (['turn', 'subagent', 'compaction', 'count'] as const).map(
        (kind) => names({ kind, model: 'claude-haiku-4-5' })[0],
      ),
    ).toEqual(['background', 'background', 'default', 'default'])
  })

  it('look at nothing that no route asks for', () => {
    const asked = ask()
    const asks: string[] = []
    const needs = Object.fromEntries(
      (['tokens', 'image', 'webSearch', 'thinking'] as const).map((name) => [
        name,
        () => {
          asks.push(name)
          return asked.needs[name]()
        },
      ]),
    ) as unknown as typeof asked.needs
    const config = configSchema.parse({
      providers: { p: { type: 'simulator', models: { m: {} } } },
      routes: { default: ['p.m'], thinking: ['p.m'] },
    })
    classify({ ...asked, needs }, 'm', config, prepared(config))
    expect(asks).toEqual(['thinking'])
  })

  it.each<[string, AskPatch, Partial<typeof all>, string[]]>([
    ['its own', {}, all, ['review', 'default']],
    [
      'the default where it has none of its own, never the one for odd jobs',
      { needs: { thinking: true, tokens: 90_000 } },
      { default: ['p.m'], background: ['p.m'], thinking: ['p.m'], longContext: ['p.m'] },
      ['default'],
    ],
  ])('a review goes %s', (_, patch, routes, expected) => {
    expect(names({ kind: 'probe', model: 'review', sessionId: null, ...patch }, routes)).toEqual(expected)
  })

  it('say why', () => {
    expect(categories({ needs: { tokens: 82_000 } }).map((c) => c.because)).toEqual([
      { code: 'long', tokens: 82_000, threshold: 60_000 },
      { code: 'otherwise' },
    ])
  })

  it('a name that a provider lists as a model is that model', () => {
    const config = configSchema.parse({
      providers: { p: { type: 'simulator', models: { m: {}, coding: {} } } },
      routes: all,
    })
    expect(classify(ask({ model: 'coding' }), 'coding', config, prepared(config)).map((c) => c.category)).toEqual([
      'default',
    ])
  })
})

it.each([
  ['claude-haiku-4-5-20251001', true],
  ['gpt-5-mini', true],
  ['gpt-4.1-nano', true],
  ['gemini-2.5-flash-lite', true],
  ['glm-4.5-air', true],
  ['anthropic/claude-3-5-haiku', true],
  ['claude-opus-4-5', false],
  ['gpt-5', false],
  ['gpt-5-codex', false],
  ['gemini-2.5-flash', false],
  ['minimax-m2', false],
  ['glm-5', false],
  ['', false],
])('%s is small: %s', (model, small) => {
  expect(isSmallModel(model)).toBe(small)
})

const inPlaceOf = (failed: readonly string[], tryFailed = false): StandIn => ({ target: 'c.m', failed, tryFailed })
const scene = (standIn: StandIn | null) => {
  let now = standIn
  const calls: string[] = []
  const router = routerScene(threeInOrder, {}, { onCall: (target, good) => calls.push(`${target} ${good}`) })
  router.useStandIns((sessionId) => (sessionId === 's' ? now : null))
  return { ...router, calls, end: () => (now = null) }
}

describe('a stand-in', () => {
  it('takes the session’s turns before what failed, and says why', () => {
    const r = scene(inPlaceOf(['a.m']))
    expect(r.choose(ask()).fact.why).toContainEqual({ code: 'stand-in', target: 'c.m', failed: ['a.m'] })
    expect(targetOf(r.choose(ask()))).toBe('c.m')
    expect(targetOf(r.choose(ask({ sessionId: 'another' })))).toBe('a.m')
    expect(targetOf(r.choose(ask({ model: 'a.m' })))).toBe('c.m')
  })

  it('is no reason to leave what has not failed, and counts for no test and no forced turn', () => {
    const r = scene(inPlaceOf(['b.m']))
    expect(targetOf(r.choose(ask()))).toBe('a.m')
    const direct = scene(inPlaceOf(['a.m']))
    expect(targetOf(direct.choose(ask({ model: 'a.m', test: { key: null } })))).toBe('a.m')
    expect(targetOf(direct.choose(ask({ overrides: { force: 'a.m' } })))).toBe('a.m')
  })

  it('comes before what the session is used to, and leaves no trace of itself at the end', () => {
    const r = scene(null)
    r.serve()
    const used = scene(inPlaceOf(['a.m']))
    expect(targetOf(used.serve())).toBe('c.m')
    used.end()
    expect(targetOf(used.serve())).toBe('a.m')
    expect(used.calls).toEqual(['c.m true', 'a.m true'])
  })

  it('stands behind what failed when nobody has asked that for long', () => {
    const r = scene(inPlaceOf(['a.m', 'b.m'], true))
    const first = r.choose(ask())
    expect(targetOf(first)).toBe('a.m')
    expect(targetOf(r.choose(ask(), [{ choice: first, failure: '503' }]))).toBe('b.m')
  })
})
