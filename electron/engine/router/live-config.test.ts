import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { ask as asked, routerScene } from './testing/scene.ts'

const ask = asked({ model: 'm', sessionId: null })
const provider = (key: string) => ({
  type: 'openai-chat' as const,
  baseUrl: 'http://127.0.0.1:1/v1',
  keys: [{ alias: 'main', value: key }],
  models: { m: {} },
})
const live = (input: ConfigInput) => routerScene(input)

describe('a config edited while it runs', () => {
  it('counts from the next choice on', () => {
    const r = live({})
    expect(r.choose(ask).type).toBe('simulator')
    r.edit({ providers: { a: provider('1') } })
    expect(r.choose(ask).providerId).toBe('a')
    r.edit({ providers: { a: provider('1'), b: provider('1') }, routes: { default: ['b.m'] } })
    expect(r.choose(ask).providerId).toBe('b')
  })

  it('a refused key that was replaced need not rest', () => {
    const routes = { default: ['a.m', 'b.m'] }
    const r = live({ providers: { a: provider('wrong'), b: provider('1') }, routes })
    r.refuse(r.choose(ask), 401)
    expect(r.choose(ask).providerId).toBe('b')
    r.edit({ providers: { a: provider('right'), b: provider('1') }, routes })
    expect(r.choose(ask).providerId).toBe('a')
  })
})

describe('what markers may name', () => {
  const r = live({
    providers: {
      a: {
        ...provider('1'),
        keys: [
          { alias: 'main', value: '1' },
          { alias: 'spare', value: '2' },
        ],
      },
      open: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1' },
    },
    routes: { default: ['a.routed', { target: 'a.weighed', weight: 2 }] },
    aliases: { short: 'a.aliased/x' },
  })

  it.each([
    ['a', true],
    ['open', true],
    ['simulator', false],
    ['constructor', false],
    ['', false],
  ])('provider %s: %s', (id, known) => {
    expect(r.isProvider(id)).toBe(known)
  })

  it.each([
    ['a', 'm', true],
    ['a', 'routed', true],
    ['a', 'weighed', true],
    ['a', 'aliased/x', true],
    ['a', 'other', false],
    ['a', 'constructor', false],
    ['open', 'anything', true],
    ['constructor', 'm', false],
    ['none', 'm', false],
  ])('model %s.%s: %s', (id, model, known) => {
    expect(r.isModel(id, model)).toBe(known)
  })

  it.each([
    ['a', 'main', true],
    ['a', 'other', false],
    ['a', 1, true],
    ['a', 2, true],
    ['a', 3, false],
    ['a', 0, false],
    ['open', 1, false],
    ['constructor', 1, false],
    ['constructor', 'main', false],
  ] as const)('key %s %s: %s', (id, key, known) => {
    expect(r.isKey(id, key)).toBe(known)
  })
})

describe('a provider that was edited to live elsewhere', () => {
  it('need not rest for what the old one did, and rests on when only its models were edited', () => {
    const at = (port: number, models: Record<string, object> = { m: {} }) => ({
      ...provider('1'),
      baseUrl: `http://127.0.0.1:${port}`,
      models,
    })
    const routes = { default: ['a.m', 'b.m'] }
    const r = live({ providers: { a: at(1), b: at(2) }, routes })
    const a = r.choose(ask)
    for (let i = 0; i < 3; i++) r.tell(a, { kind: 'unreachable', code: 'upstream-unreachable' })
    r.edit({ providers: { a: at(1, { m: {}, n: {} }), b: at(2) }, routes })
    expect(r.choose(ask).providerId).toBe('b')
    r.edit({ providers: { a: at(3), b: at(2) }, routes })
    expect(r.choose(ask).providerId).toBe('a')
  })

  it('is not shown with what the old one failed, and with all of it when only its models were edited', () => {
    const at = (port: number, models: Record<string, object>) => ({
      providers: { a: { ...provider('1'), baseUrl: `http://127.0.0.1:${port}`, models } },
    })
    const r = live(at(1, { m: {} }))
    r.tell(r.choose(ask), { kind: 'unreachable', code: 'upstream-unreachable' })
    r.edit(at(1, { m: {}, n: {} }))
    expect(r.views()[0]).toMatchObject({ calls: [false], health: { kind: 'failing', count: 1 } })
    r.edit(at(3, { m: {} }))
    expect(r.views()[0]).toMatchObject({ calls: [], health: { kind: 'unused' } })
  })
})
