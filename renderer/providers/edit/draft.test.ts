import { describe, expect, it } from 'vitest'
import type { ProviderDetails } from '../../../shared/control/provider-edit.ts'
import { bareModel, changeOf, draftOf, fieldAt, newKey, priceDraft, problemsOf, type Draft } from './draft.ts'

const base: ProviderDetails = {
  id: 'zai',
  type: 'openai-chat',
  baseUrl: 'https://api.z.ai/v4',
  auth: 'key',
  keys: [
    { alias: 'main', from: 'secret', env: null },
    { alias: 'spare', from: 'env', env: 'ZAI_KEY_2' },
  ],
  models: [
    {
      id: 'glm-5.1',
      contextWindow: 200_000,
      vision: null,
      thinking: true,
      price: { input: 0.6, cachedInput: 0.11, output: 2.2 },
    },
    { id: 'air', contextWindow: null, vision: false, thinking: null, price: null },
  ],
  routes: [],
  revision: 'r1',
}
const start = draftOf(base)
const change = (more: Partial<Draft>) => changeOf({ ...start, ...more }, base)
const problems = (more: Partial<Draft>) => Object.fromEntries(problemsOf({ ...start, ...more }, base, ['zai', 'b']))
const [main, spare] = start.keys
const [glm, air] = start.models
if (!main || !spare || !glm || !air) throw new Error('two of each')
const of = { provider: 'zai', revision: 'r1' }

describe('the form of a provider', () => {
  it('changes nothing before anything is typed, and nothing by what means the same', () => {
    expect(changeOf(start, base)).toBeNull()
    expect(problemsOf(start, base, ['zai'])).toEqual(new Map())
    expect(change({ name: ' zai ', models: [{ ...glm, contextWindow: '200k' }, air] })).toBeNull()
    expect(
      change({
        keys: [
          { ...main, open: true },
          { ...spare, from: 'env' },
        ],
      }),
    ).toBeNull()
  })

  it('says only what is different', () => {
    expect(change({ name: 'glm', baseUrl: 'http://127.0.0.1:1' })).toEqual({
      ...of,
      name: 'glm',
      baseUrl: 'http://127.0.0.1:1',
    })
    expect(change({ auth: 'none', type: 'anthropic' })).toEqual({ ...of, auth: 'none', type: 'anthropic' })
  })

  it('keeps, replaces, renames, adds and removes keys', () => {
    expect(
      change({
        keys: [
          { ...main, from: 'secret', secret: ' sk-1 ' },
          { ...spare, alias: 'team' },
        ],
      })?.keys,
    ).toEqual([
      { was: 'main', alias: 'main', from: { secret: 'sk-1' } },
      { was: 'spare', alias: 'team', from: null },
    ])
    expect(change({ keys: [main, { ...newKey([main]), from: 'env', env: 'K' }] })?.keys).toEqual([
      { was: 'main', alias: 'main', from: null },
      { was: null, alias: 'spare', from: { env: 'K' } },
    ])
    expect(change({ keys: [spare] })?.keys).toEqual([{ was: 'spare', alias: 'spare', from: null }])
  })

  it('sets windows, abilities and prices, and takes prices away', () =>
    expect(
      change({
        models: [
          { ...glm, contextWindow: '128 000', price: { ...glm.price, input: '$0,5', cachedInput: '' } },
          { ...air, vision: true, price: priceDraft({ input: 0, output: 0 }) },
          bareModel('new'),
        ],
      })?.models,
    ).toEqual([
      { id: 'glm-5.1', contextWindow: 128_000, vision: null, thinking: true, price: { input: 0.5, output: 2.2 } },
      { id: 'air', contextWindow: null, vision: true, thinking: null, price: { input: 0, output: 0 } },
      { id: 'new', contextWindow: null, vision: null, thinking: null, price: null },
    ]))

  it('says which field is wrong', () => {
    expect(problems({ name: '', baseUrl: ' ' })).toEqual({ name: 'nameEmpty', baseUrl: 'urlEmpty' })
    expect(problems({ name: 'a b', baseUrl: 'ftp://x' })).toEqual({ name: 'nameBad', baseUrl: 'urlBad' })
    expect(problems({ name: 'b' })).toEqual({ name: 'nameTaken' })
    expect(
      problems({
        keys: [main, { ...spare, alias: 'main', from: 'env', env: 'sk-live' }, { ...newKey([main, spare]), alias: '' }],
      }),
    ).toEqual({
      'key 1 alias': 'aliasTaken',
      'key 1 env': 'envBad',
      'key 2 alias': 'aliasEmpty',
      'key 2 secret': 'secretEmpty',
    })
    expect(problems({ keys: [{ ...main, from: 'secret', secret: 'two words' }] })).toEqual({
      'key 0 secret': 'secretBad',
    })
    expect(
      problems({
        models: [
          { ...glm, contextWindow: 'much', price: { ...glm.price, output: '' } },
          { ...air, price: { ...air.price, input: '-1' } },
        ],
      }),
    ).toEqual({
      'model glm-5.1 contextWindow': 'countBad',
      'model glm-5.1 price': 'priceHalf',
      'model air price': 'priceBad',
    })
  })

  it('finds the field that the engine refuses', () => {
    const draft = { ...start, name: 'glm' }
    expect(fieldAt('providers.glm', draft)).toBe('name')
    expect(fieldAt('providers.glm.baseUrl', draft)).toBe('baseUrl')
    expect(fieldAt('providers.glm.keys.1.alias', draft)).toBe('key 1 alias')
    expect(fieldAt('providers.glm.models.glm-5.1.contextWindow', draft)).toBe('model glm-5.1 contextWindow')
    expect(fieldAt('providers.glm.models.glm-5.1.price.output', draft)).toBe('model glm-5.1 price')
    expect(fieldAt('providers.other.baseUrl', draft)).toBeNull()
    expect(fieldAt('server.port', draft)).toBeNull()
  })
})
