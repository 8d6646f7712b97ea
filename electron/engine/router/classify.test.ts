import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { requestKinds } from '../../../shared/words.ts'
import { classify } from './classify.ts'
import { prepared } from './prepared.ts'
import { isSmallModel } from './classify.ts'
import { ask, type AskPatch } from './testing/scene.ts'

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
