import { describe, expect, it } from 'vitest'
import type { ConfigProblem, ConfigTrouble } from '../config/config-text.ts'
import { faultOf, type ConfigFault, type FaultCode, type FaultFacts } from '../config/config-faults.ts'
import { sentencesOf } from './index.ts'

/** Every fault there is, each with what its sentence names. */
const all: { [C in FaultCode]: readonly [FaultFacts[C], about?: RegExp][] } = {
  'too-large': [[{ mebibytes: 4 }, /4 MiB/]],
  'too-deep': [[{}]],
  empty: [[{}, /\{\}/]],
  syntax: [[{ kind: 'CommaExpected' }], [{ kind: 'OfTomorrow' }, /OfTomorrow/]],
  'bad-name': [[{}]],
  twice: [[{ name: 'port' }, /port/]],
  'env-unset': [[{ name: 'GLM_KEY' }, /GLM_KEY/]],
  'env-unnamed': [[{}, /\$\$\{/]],
  unchecked: [[{ why: 'Maximum call stack' }, /Maximum call stack/]],
  'link-to-nothing': [[{ file: '/home/me/config.json' }, /config\.json/]],
  unreadable: [[{ file: '/home/me/config.json', why: 'EACCES' }, /config\.json.*EACCES/]],
  'not-utf8': [[{}, /UTF-8/]],
  'unknown-setting': [[{ name: 'prot' }, /prot/]],
  missing: [[{}]],
  'wrong-type': [
    [{ expected: 'object' }],
    [{ expected: 'array' }],
    [{ expected: 'string' }],
    [{ expected: 'number' }],
    [{ expected: 'int' }],
    [{ expected: 'boolean' }, /true/],
  ],
  'one-of': [[{ values: ['en', 'zh-CN'] }, /en.*zh-CN/]],
  'no-form': [[{ inner: '' }], [{ inner: 'unknown-setting', name: 'prot' }, /prot/]],
  'too-small': [
    [{ of: 'number', least: 0, above: false }, /0/],
    [{ of: 'number', least: 0, above: true }, /0/],
    [{ of: 'list', least: 1, above: false }],
    [{ of: 'list', least: 2, above: false }, /2/],
    [{ of: 'text', least: 1, above: false }],
    [{ of: 'text', least: 3, above: false }, /3/],
  ],
  'too-big': [
    [{ of: 'number', most: 65_535, below: false }, /65535/],
    [{ of: 'number', most: 9, below: true }, /9/],
    [{ of: 'list', most: 20, below: false }, /20/],
    [{ of: 'text', most: 64, below: false }, /64/],
  ],
  address: [[{}, /https:\/\//]],
  'provider-id': [[{}]],
  'time-of-day': [[{}, /22:00/]],
  'bad-form': [[{ pattern: '^[a-z]+$' }, /\^\[a-z\]\+\$/]],
  other: [[{ said: 'not a multiple of 5' }, /not a multiple of 5/]],
  'key-twice': [[{ alias: 'main' }, /main/]],
  'provider-key-twice': [[{ provider: 'zai', alias: 'main' }, /zai.*main/]],
  'open-host': [[{ host: '0.0.0.0' }, /0\.0\.0\.0.*server\.keys/]],
  'no-base-url': [[{ provider: 'zai' }, /zai.*baseUrl/]],
  'via-and-own': [[{ provider: 'zai', engine: 'devbox', member: 'keys' }, /zai.*devbox.*keys/]],
  'two-origins': [
    [
      {
        vendor: 'OpenAI',
        first: 'a',
        firstOrigin: 'https://a.example',
        second: 'b',
        secondOrigin: 'https://b.example',
      },
      /a\.example.*b\.example.*OpenAI/,
    ],
  ],
  'no-target': [[{ target: 'glmx' }, /glmx.*provider\.model/]],
  'route-provider': [[{ route: 'review', provider: 'glm' }, /review.*glm/]],
  'outside-twice': [[{ name: 'phone' }, /phone/]],
  'outside-address': [[{ name: 'phone' }, /phone.*secretRef/]],
  'outside-tokens': [[{ name: 'phone' }, /phone.*tokenRef/]],
  'outside-topic': [[{ name: 'phone' }, /phone/]],
  'quiet-none': [[{ from: '22:00', to: '22:00' }, /22:00.*22:00/]],
  'policy-missing': [[{ file: '/etc/onward/policy.json' }, /ONWARD_POLICY|policy\.json/]],
  'policy-unreadable': [[{ file: '/etc/onward/policy.json', why: 'EACCES' }, /policy\.json.*EACCES/]],
  'held-provider': [
    [{ provider: 'zai', by: 'Example Ltd' }, /Example Ltd.*zai/],
    [{ provider: 'zai', by: '' }, /zai/],
  ],
  'held-model': [[{ target: 'zai.glm-5', by: 'Example Ltd' }, /Example Ltd.*zai\.glm-5/]],
  'held-budget': [[{ setting: 'hours', most: 4, by: 'Example Ltd' }, /Example Ltd.*hours.*4/]],
  'held-tool': [[{ tool: 'web_fetch', by: 'Example Ltd' }, /Example Ltd.*web_fetch/]],
  'held-phone': [[{ by: 'Example Ltd' }, /Example Ltd/]],
  'held-telemetry': [[{ by: 'Example Ltd' }, /Example Ltd/]],
  'held-fleet': [[{ fleet: 'lab at nats://hub', by: 'Example Ltd' }, /Example Ltd.*lab at nats:\/\/hub/]],
}
const cases = (Object.keys(all) as FaultCode[]).flatMap((code) =>
  all[code].map(([facts, about]) => [code, faultOf(code, facts as never), about] as const),
)
const at = (fault: ConfigFault): ConfigProblem => ({
  line: 3,
  column: 22,
  path: 'server.port',
  ...fault,
  message: 'As the engine says it.',
})
const chinese = /\p{Script=Han}/u

describe('what is wrong in a config text', () => {
  it.each(cases)('has a sentence in both languages that names what it is about: %s', (_code, fault, about = /./) => {
    const [en, zh] = [sentencesOf('en').configProblem(at(fault)), sentencesOf('zh-CN').configProblem(at(fault))]
    expect(en).toMatch(/\.$/)
    expect(en).toMatch(about)
    expect(zh).toMatch(chinese)
    expect(zh).toMatch(/。$/)
    expect(zh).toMatch(about)
    expect(en + zh).not.toMatch(/undefined|null|\[object|As the engine says it/)
  })

  it('is told as the engine says it where it is of another version', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const later: ConfigProblem = { ...at(faultOf('empty', {})), code: 'of-tomorrow' as FaultCode }
      expect(sentencesOf(language).configProblem(later)).toBe('As the engine says it.')
      const { code: _code, facts: _facts, ...earlier } = later
      expect(sentencesOf(language).configProblem(earlier as ConfigProblem)).toBe('As the engine says it.')
    }
  })

  it('names place, subject and remedy in Chinese where an edit is refused', () => {
    const { problem } = sentencesOf('zh-CN')
    const told = (facts: Record<string, string | number>) =>
      problem({ code: 'config-invalid', said: 'The config would not be right.', facts })
    expect(told({ field: 'routes.review.0', fault: 'route-provider', route: 'review', provider: 'glm' })).toBe(
      '这样配置就不对了，所以没有改动。routes.review.0：路由 review 用到提供方“glm”，而配置里没有它。添加它，或从路由里去掉。',
    )
    expect(told({ line: 3, column: 22, path: 'server.port', fault: 'wrong-type', expected: 'number' })).toBe(
      '配置文件里有错，先改好它。第 3 行第 22 列（server.port）：这里应该是数字。',
    )
    expect(told({ fault: 'not-utf8' })).toBe('配置文件不是 UTF-8 编码。先存成 UTF-8。')
    expect(told({})).toBe('配置文件里有错，先改好它。')
  })

  it('is told whole in the timeline and in Diagnostics', () => {
    const trouble: ConfigTrouble = {
      problems: [at(faultOf('unknown-setting', { name: 'prot' }))],
      total: 2,
      what: null,
      meanwhile: 'before',
      canPutBack: true,
    }
    const { doctor } = sentencesOf('zh-CN')
    expect(doctor({ code: 'config-problem', path: '~/config.json', problem: 'In English.', trouble }).say).toBe(
      '没有采用 ~/config.json：第 3 行第 22 列（server.port）：这里没有“prot”这项设置。另有 1 处。之前的配置继续生效，没有任何东西停下。',
    )
    const fault = faultOf('unreadable', { file: '/config.json', why: 'EACCES' })
    const unread = { ...trouble, problems: [], total: 0, what: 'In English.', fault }
    expect(sentencesOf('zh-CN').configUnread(unread)).toBe('配置文件 /config.json 读不了（EACCES）。')
  })
})
