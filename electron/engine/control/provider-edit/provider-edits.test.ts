import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../config/check.ts'
import { editText } from '../../config/edit-text.ts'
import { providerEdits, type ProviderChange } from './provider-edits.ts'

const before = `{
  // what I pay for
  "providers": {
    "zai": { // the plan of the team
      "type": "openai-chat",
      "keys": [
        // mine
        { "alias": "main", "value": "\${ZAI_KEY}" },
        { "alias": "spare", "env": "ZAI_KEY_2" }, // of the team
        { "alias": "old", "secretRef": "zai-old" }
      ],
      "models": {
        "glm-5": {
          "maxOutput": 8000, // it babbles
          "price": { "input": 0.6, "output": 2.2 } // since May
        },
        "glm-5-air": {} // small
      }
    },
    "b": { "type": "anthropic", "baseUrl": "http://127.0.0.1:9" }
  },
  "routes": {
    "default": [{ "target": "zai.glm-5", "weight": 3 }, "b.claude"], // work
    "review": ["zai/glm-5"]
  },
  "aliases": { "fast": "zai,glm-5-air" },
  "stopMessage": { "review": { "model": "zai.glm-5" } }
}
`
const env = { ZAI_KEY: 'sk-hidden' }
function edited(change: Partial<ProviderChange>): string {
  const { config } = checkConfig(before, env)
  if (!config) throw new Error('the config is right')
  const after = editText(before, providerEdits({ provider: 'zai', revision: '', ...change }, config))
  expect(checkConfig(after, env).problems).toEqual([])
  return after
}
const swapped = (...pairs: readonly [string, string][]): string =>
  pairs.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, before)
const key = (was: string | null, alias = was ?? '', from: { env: string } | { secretRef: string } | null = null) => ({
  was,
  alias,
  from,
})
const model = (id: string, more: object = {}) => ({
  id,
  contextWindow: null,
  vision: null,
  thinking: null,
  price: null,
  ...more,
})

describe('an edit of a provider', () => {
  it('changes nothing where nothing is different', () =>
    expect(
      edited({
        name: 'zai',
        type: 'openai-chat',
        baseUrl: 'https://api.z.ai/api/paas/v4',
        auth: 'key',
        keys: [key('main'), key('spare'), key('old')],
        models: [model('glm-5', { price: { input: 0.6, output: 2.2 } }), model('glm-5-air')],
      }),
    ).toBe(before))

  it('gives another name everywhere, and an address where the name stood for one', () =>
    expect(edited({ name: 'glm' })).toBe(
      swapped(
        ['"zai": {', '"glm": {'],
        ['"zai.glm-5"', '"glm.glm-5"'],
        ['"zai/glm-5"', '"glm/glm-5"'],
        ['"zai,glm-5-air"', '"glm,glm-5-air"'],
        [
          '        "glm-5-air": {} // small\n      }',
          '        "glm-5-air": {} // small\n      },\n      "baseUrl": "https://api.z.ai/api/paas/v4"',
        ],
      ),
    ))

  it('sets an address of its own', () =>
    expect(edited({ baseUrl: 'https://proxy.example/v1' })).toBe(
      swapped([
        '        "glm-5-air": {} // small\n      }',
        '        "glm-5-air": {} // small\n      },\n      "baseUrl": "https://proxy.example/v1"',
      ]),
    ))

  it('adds, replaces, renames and removes keys, and writes none of them out', () => {
    const after = edited({
      keys: [key('main'), key('spare', 'team'), key(null, 'new', { secretRef: 'zai-new' })],
    })
    expect(after).toBe(
      swapped(
        ['"alias": "spare"', '"alias": "team"'],
        ['{ "alias": "old", "secretRef": "zai-old" }', '{ "alias": "new", "secretRef": "zai-new" }'],
      ),
    )
    expect(edited({ keys: [key('main'), key('spare', 'spare', { secretRef: 'zai-2' }), key('old')] })).toBe(
      swapped(['{ "alias": "spare", "env": "ZAI_KEY_2" }', '{ "alias": "spare", "secretRef": "zai-2" }']),
    )
    expect(after + edited({ keys: [] })).not.toContain('sk-hidden')
    expect(edited({ keys: [], auth: 'none' })).not.toContain('"keys"')
  })

  it('sets what a model is told to be, and leaves the rest of it', () => {
    const models = [
      model('glm-5', { contextWindow: 200_000, price: { input: 0.5, output: 2.2 } }),
      model('glm-5v', { vision: true }),
    ]
    expect(edited({ models })).toBe(
      swapped(
        [
          '"price": { "input": 0.6, "output": 2.2 } // since May',
          '"price": { "input": 0.5, "output": 2.2 }, // since May\n          "contextWindow": 200000',
        ],
        ['        "glm-5-air": {} // small\n', '        "glm-5v": { "vision": true }\n'],
      ),
    )
    expect(edited({ models: [model('glm-5'), model('glm-5-air')] })).not.toContain('price')
  })

  it('is refused by the check of the config, which names the field', () => {
    const { config } = checkConfig(before, env)
    if (!config) throw new Error('the config is right')
    const problemOf = (change: Partial<ProviderChange>) =>
      checkConfig(editText(before, providerEdits({ provider: 'zai', revision: '', ...change }, config)), env)
        .problems[0]?.path
    expect(problemOf({ baseUrl: 'nowhere' })).toBe('providers.zai.baseUrl')
    expect(problemOf({ models: [model('glm-5', { contextWindow: -1 })] })).toBe(
      'providers.zai.models.glm-5.contextWindow',
    )
    expect(problemOf({ models: [model('glm-5', { price: { input: 1 } })] })).toMatch(
      /^providers\.zai\.models\.glm-5\.price/,
    )
    expect(problemOf({ keys: [key('main'), key('spare', 'main'), key('old')] })).toBe('providers.zai.keys.1.alias')
    expect(problemOf({ name: 'a b' })).toMatch(/^providers/)
  })
})
