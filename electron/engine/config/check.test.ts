import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import { checkConfig } from './check.ts'
import { runs } from '../../../shared/testing/runs.ts'

const say = (text: string, env: Record<string, string> = {}) =>
  checkConfig(text, env).problems.map((p) => `${p.line}:${p.column} ${p.path} ${p.message}`)

/** Every kind of entry there is. */
const example = `{ "server": { "host": "127.0.0.1", "port": 5520, "keys": ["local-key-for-hand-started-clients"] },
  "providers": {
    "glm":  { "type": "openai-chat", "baseUrl": "http://127.0.0.1:9001/v1",
              "keys": [{ "alias": "main", "env": "GLM_KEY" },
              { "alias": "spare", "value": "sk-2" }],
              "models": { "glm-5": { "contextWindow": 200000, "maxOutput": 32000 } } },
    "anth": { "type": "anthropic", "baseUrl": "http://127.0.0.1:9002", "keys": [{ "alias": "main", "value": "sk-3" }],
              "models": { "claude-x": { "vision": true, "thinking": true } } } },
  "routes": { "default": ["glm.glm-5", "anth.claude-x"], "background": ["glm.glm-5"],
              "vision": ["anth.claude-x"], "review": ["anth.claude-x"] },
  "aliases": { "sonnet": "glm.glm-5" },
  "stopMessage": { "delivery": "inject" }, "clock": { "enabled": true }, "servertools": { "enabled": true } }`

describe('a config text', () => {
  it('a whole configuration loads, also without GLM_KEY', () => {
    const { config, problems } = checkConfig(example, {})
    expect(problems).toEqual([])
    expect(config?.providers['glm']?.keys.map((key) => key.alias)).toEqual(['main', 'spare'])
    expect(config?.routes.default).toEqual(['glm.glm-5', 'anth.claude-x'])
  })

  it('may have comments, trailing commas and a byte order mark', () => {
    const { config } = checkConfig('\uFEFF// mine\n{ /* port */ "server": { "port": 1, }, }', {})
    expect(config?.server.port).toBe(1)
  })

  it('{} is the defaults', () => {
    expect(checkConfig('{}', {}).config).toEqual(configSchema.parse({}))
  })

  it.each([
    [
      'one origin, two types',
      { type: 'openai-chat', baseUrl: 'https://a.example/v1', auth: 'client' },
      { type: 'openai-responses', baseUrl: 'https://a.example/v2', auth: 'client' },
    ],
    [
      'two vendors',
      { type: 'openai-chat', baseUrl: 'https://a.example/v1', auth: 'client' },
      { type: 'anthropic', baseUrl: 'https://b.example', auth: 'client' },
    ],
    [
      'one with a key of its own',
      { type: 'gemini', baseUrl: 'https://a.example', auth: 'client' },
      { type: 'gemini', baseUrl: 'https://b.example' },
    ],
  ])('lets the client’s own credential go to %s', (_what, a, b) => {
    expect(say(JSON.stringify({ providers: { a, b } }))).toEqual([])
  })

  it('takes strings from the environment', () => {
    const { config } = checkConfig('{"server":{"keys":["a${A}b${B_2}","$${A}"]}}', { A: '1', B_2: '2' })
    expect(config?.server.keys).toEqual(['a1b2', '${A}'])
  })
})

describe('what is wrong, and where', () => {
  it.each([
    ['{\n  "server": { "port": "x" }\n}', '2:23 server.port This must be a number.'],
    ['{\n  "sever": {}\n}', '2:3  “sever” is not a setting here.'],
    ['{"server":{"prot":1}}', '1:12 server “prot” is not a setting here.'],
    [
      '{"providers":{"a":{"type":"openai"}}}',
      '1:27 providers.a.type This must be one of “openai-chat”, ' +
        '“openai-responses”, “anthropic”, “gemini”, “simulator”.',
    ],
    [
      '{"providers":{"a":{}}}',
      '1:19 providers.a.type This must be one of “openai-chat”, ' +
        '“openai-responses”, “anthropic”, “gemini”, “simulator”.',
    ],
    [
      '{"providers":{"a b":{"type":"simulator"}}}',
      '1:21 providers.a b A provider’s name has letters, digits, - and _ only.',
    ],
    ['{"providers":{"a":{"type":"openai-chat"}}}', '1:19 providers.a The provider a needs a baseUrl.'],
    [
      '{"providers":{"a":{"type":"openai-chat","baseUrl":"ftp://x"}}}',
      '1:51 providers.a.baseUrl This must be a whole address, with http:// or https:// before it.',
    ],
    [
      '{"providers":{"a":{"type":"simulator","keys":[{"alias":"k"}]}}}',
      '1:47 providers.a.keys.0 This fits none of the forms allowed here. By the first: This setting is missing.',
    ],
    [
      '{"providers":{"a":{"type":"simulator","keys":[{"alias":"k","value":"1"},{"alias":"k","value":"2"}]}}}',
      '1:82 providers.a.keys.1.alias Two keys of a are called “k”.',
    ],
    [
      '{"routes":{"default":["glm.x"]}}',
      '1:23 routes.default.0 The route default names the provider “glm”, which is not configured.',
    ],
    [
      '{"routes":{"default":["constructor.x"]}}',
      '1:23 routes.default.0 The route default names the provider “constructor”, which is not configured.',
    ],
    [
      '{"routes":{"default":["glmx"]}}',
      '1:23 routes.default.0 “glmx” is not a route target. Write provider.model, e.g. glm.glm-5.',
    ],
    ['{"routes":{"fast":["a.b"]}}', '1:12 routes “fast” is not a setting here.'],
    [
      '{"server":{"host":"0.0.0.0"}}',
      '1:19 server.host Listening on 0.0.0.0 lets other machines in: set server.keys, or use 127.0.0.1.',
    ],
    [
      '{"providers":{"a":{"type":"openai-chat","baseUrl":"https://a.example/v1","auth":"client"},' +
        '"b":{"type":"openai-responses","baseUrl":"https://b.example","auth":"client"}}}',
      '1:159 providers.b.auth a (https://a.example) and b (https://b.example) both take the client’s ' +
        'own OpenAI credential. It goes to one address only: give one of them a key of its own.',
    ],
    ['{"a":1,"a":2}', '1:8 a “a” is written twice; only one of them can count.'],
    ['{"__proto__":{}}', '1:2 __proto__ This name can not be used.'],
    ['{"server":{"keys":["${NOT_SET}"]}}', '1:20 server.keys.0 The environment variable NOT_SET is not set.'],
    [
      '{"server":{"keys":["${sk-secret}"]}}',
      '1:20 server.keys.0 Between ${ and } stands no name of an ' +
        'environment variable. Write $${ for the characters themselves.',
    ],
    ['{"server":{"port":-1}}', '1:19 server.port This must be at least 0.'],
    ['{"server":{"port":70000}}', '1:19 server.port This must be at most 65535.'],
    ['{"server":{"port":1.5}}', '1:19 server.port This must be a whole number.'],
    ['{"servertools":{"maxSeconds":0}}', '1:30 servertools.maxSeconds This must be more than 0.'],
    ['{"clock":{"ntp":{"servers":[]}}}', '1:28 clock.ntp.servers This list may not be empty.'],
    ['{"servertools":{"beside":[""]}}', '1:27 servertools.beside.0 This text may not be empty.'],
    [
      '{"notifications":{"quietHours":{"from":"25:00"}}}',
      '1:40 notifications.quietHours.from This must be a time as in 22:00.',
    ],
    ['[]', '1:1  This must be an object.'],
    ['', '1:1  The file is empty. Delete it to run with the defaults, or write {}.'],
    ['{\n"server": {\n', /^3:1 {2}A closing } is missing here\.|^\d:\d+ {2}/],
    ['{"a" 1}', '1:6  A colon is missing here.'],
    ["{'a': 1}", /This is no JSON value|member name/],
    ['{"a": 1} {}', '1:10  The file should end here.'],
  ])('%s', (text, expected) => {
    const problems = say(text)
    if (typeof expected === 'string') expect(problems[0]).toBe(expected)
    else expect(problems[0]).toMatch(expected)
  })

  it('tells everything that is wrong, not only the first', () => {
    expect(say('{"server":{"port":-1,"keys":[1]},"language":"fr"}').length).toBe(3)
  })

  it('never repeats a value: it may be a secret', () => {
    const text = JSON.stringify({
      providers: {
        a: {
          type: 'sk-12345',
          baseUrl: 'sk-12345',
          keys: [{ alias: 1, value: 'sk-12345' }],
          headers: { x: ['sk-12345'] },
        },
      },
      language: 'sk-12345',
    })
    expect(say(text).length).toBeGreaterThan(2)
    expect(say(text).join()).not.toContain('sk-12345')
  })
})

describe('no text of any kind', () => {
  const config = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .tuple(fc.constant(example), fc.nat(example.length), fc.nat(20), fc.string())
      .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
    fc
      .record(
        {
          server: fc.anything(),
          providers: fc.dictionary(fc.string(), fc.anything()),
          routes: fc.anything(),
          aliases: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) => {
        try {
          return JSON.stringify(value) ?? ''
        } catch {
          return '{'
        }
      }),
  )
  it('throws; and either there is a config or a problem with a place in the text', () => {
    fc.assert(
      fc.property(config, (text) => {
        const { config: read, problems } = checkConfig(text, {})
        expect(read === null).toBe(problems.length > 0)
        const lines = text.split('\n').length
        for (const problem of problems) {
          expect(problem.line).toBeGreaterThanOrEqual(1)
          expect(problem.line).toBeLessThanOrEqual(lines)
          expect(problem.column).toBeGreaterThanOrEqual(1)
          expect(problem.message).not.toBe('')
          expect(sentencesOf('zh-CN').configProblem(problem)).toMatch(/\p{Script=Han}/u)
        }
      }),
      runs(1000),
    )
  })

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['objects', '{"a":'.repeat(100_000)],
    ['closed brackets', '{"aliases":' + '['.repeat(50_000) + ']'.repeat(50_000) + '}'],
    ['much', `{"aliases":"${'x'.repeat(5_000_000)}"}`],
  ])('not even a hostile one: %s', (_name, text) => {
    expect(checkConfig(text, {}).problems.length).toBeGreaterThan(0)
  })

  it.each([
    ['['.repeat(5000), 1, 101],
    [`{"a": "[[[[", // {{{{\n "b": ${'[{"x":'.repeat(60)}`, 2, 302],
  ])('says where it goes too deep, the same every time: %#', (text, line, column) => {
    expect(checkConfig(text, {}).problems).toEqual([
      expect.objectContaining({ line, column, message: 'Braces and brackets are nested too deeply here.' }),
    ])
  })
  it('lets as many stand beside each other as a person likes', () => {
    expect(
      checkConfig(
        `{"aliases": {}, "server": {"allowedHosts": [${Array.from({ length: 300 }, () => '"h"').join()}` +
          `]}, "routes": {${['default', 'vision', 'thinking'].map((name) => `"${name}": []`).join()}}}`,
        {},
      ).problems,
    ).toEqual([])
  })
})
