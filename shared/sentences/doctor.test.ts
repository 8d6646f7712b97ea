import { describe, expect, it } from 'vitest'
import { isFine, type DoctorFact, type ReviewerTrouble } from '../doctor.ts'
import type { SecretsView } from '../secrets/secrets.ts'
import { sentencesOf } from './index.ts'

type Code = DoctorFact['code']
const agent = { code: 'agent', title: 'Codex', path: '/bin/codex', version: '0.9' } as const
const trouble = (why: ReviewerTrouble, backend: 'model' | 'command' = 'model') =>
  ({ code: 'reviewer-trouble', backend, why }) as const

const kept = (more: Partial<SecretsView>): SecretsView => ({
  keep: null,
  path: 'home/secrets.json',
  count: { keychain: 0, file: 0 },
  keychain: { kind: 'untried' },
  moving: null,
  strays: [],
  ...more,
})
const keychainTroubles = ['off', 'not-built', 'locked', 'unreachable', 'silent', 'refused'] as const
const inTrouble = (trouble: (typeof keychainTroubles)[number]) =>
  ({ kind: 'trouble', trouble, said: 'no bus' }) as const

/** Every finding there is, each with what it is about: that stands in its sentence. */
const facts: { [K in Code]: [Extract<DoctorFact, { code: K }>, about: RegExp][] } = {
  'config-runs': [[{ code: 'config-runs', path: 'home/config.json' }, /home\/config\.json/]],
  'config-problem': [
    [
      { code: 'config-problem', path: 'home/config.json', problem: 'Line 3: “prot” is no setting.' },
      /config\.json.*Line 3/,
    ],
  ],
  policy: [
    [
      { code: 'policy', organisation: 'Example Ltd', source: '/etc/onward/policy.json', bounded: ['phone.host'] },
      /Example Ltd.*policy\.json.*phone\.host/,
    ],
    [{ code: 'policy', organisation: '', source: '/etc/onward/policy.json', bounded: [] }, /policy\.json/],
  ],
  'policy-trouble': [
    [
      {
        code: 'policy-trouble',
        trouble: {
          source: '/etc/onward/policy.json',
          problem: {
            line: 3,
            column: 5,
            path: 'phone',
            code: 'wrong-type',
            facts: { expected: 'boolean' },
            message: '',
          },
          meanwhile: 'before',
          said: '',
        },
      },
      /policy\.json.*3.*phone/,
    ],
  ],
  'provider-simulator': [[{ code: 'provider-simulator', provider: 'sim' }, /sim/]],
  'provider-answers': [
    [{ code: 'provider-answers', provider: 'zai', host: 'api.z.ai', status: 404 }, /zai.*api\.z\.ai.*404/],
  ],
  'provider-unreachable': [
    [
      { code: 'provider-unreachable', provider: 'zai', baseUrl: 'https://api.z.ai', why: 'ECONNREFUSED' },
      /zai.*https:\/\/api\.z\.ai.*ECONNREFUSED/,
    ],
  ],
  'key-set': [[{ code: 'key-set', provider: 'zai', key: 'main' }, /main.*zai|zai.*main/]],
  'key-missing': [
    [
      { code: 'key-missing', provider: 'zai', key: 'main', why: 'ZAI is not set' },
      /(main.*zai|zai.*main).*ZAI is not set/,
    ],
  ],
  collector: [[{ code: 'collector', host: '127.0.0.1:4318' }, /127\.0\.0\.1:4318/]],
  'collector-away': [[{ code: 'collector-away', host: 'otel:4318', why: 'ECONNREFUSED' }, /otel:4318.*ECONNREFUSED/]],
  fleet: [[{ code: 'fleet', name: 'lab', url: 'nats://hub', engine: 'gpu' }, /lab.*gpu/]],
  'fleet-away': [[{ code: 'fleet-away', name: 'lab', why: 'It is away.' }, /lab.*It is away\./]],
  'calls-elsewhere': [
    [{ code: 'calls-elsewhere', name: 'claude', cwd: '/src/api' }, /claude.*\/src\/api.*Onward/],
    [{ code: 'calls-elsewhere', name: 'claude', cwd: null }, /claude.*Onward/],
  ],
  reviewer: [
    [{ code: 'reviewer', kind: 'route', by: 'review' }, /review/],
    [{ code: 'reviewer', kind: 'model', by: 'zai/glm-5' }, /zai\/glm-5/],
    [{ code: 'reviewer', kind: 'program', by: '/bin/codex' }, /\/bin\/codex/],
  ],
  'reviewer-program-missing': [[{ code: 'reviewer-program-missing', program: 'codex' }, /codex/]],
  'reviewer-trouble': [
    [trouble({ code: 'no-program' }, 'command'), /stopMessage\.review\.command/],
    [trouble({ code: 'no-provider' }), /provider|提供方/],
    [trouble({ code: 'unknown-model', model: 'glm.x' }), /stopMessage\.review\.model.*glm\.x/],
    [trouble({ code: 'client-login', target: 'anthropic.sonnet' }), /anthropic\/sonnet/],
    [trouble({ code: 'no-route' }), /review.*default/],
  ],
  'reviewer-later': [[{ code: 'reviewer-later' }, /provider|提供方/]],
  'secrets-kept': [
    [{ code: 'secrets-kept', kept: kept({ count: { keychain: 0, file: 3 } }) }, /3.*home\/secrets\.json/],
    [{ code: 'secrets-kept', kept: kept({ count: { keychain: 2, file: 0 } }) }, /2.*(keychain|钥匙串)/],
    [
      { code: 'secrets-kept', kept: kept({ count: { keychain: 2, file: 1 } }) },
      /2.*(keychain|钥匙串).*1.*secrets\.json/,
    ],
    [{ code: 'secrets-kept', kept: kept({}) }, /(keychain|钥匙串).*(file|文件)/],
    [{ code: 'secrets-kept', kept: kept({ keep: 'keychain' }) }, /keychain|钥匙串/],
    [{ code: 'secrets-kept', kept: kept({ keep: 'file' }) }, /home\/secrets\.json/],
    [
      { code: 'secrets-kept', kept: kept({ count: { keychain: 0, file: 1 }, keychain: inTrouble('silent') }) },
      /secrets\.json.*no bus.*(new keys go to the file|新密钥存进文件)/,
    ],
    [{ code: 'secrets-kept', kept: kept({ keychain: inTrouble('unreachable') }) }, /secrets\.json.*no bus/],
  ],
  'secrets-trouble': [
    ...keychainTroubles.map((trouble): [Extract<DoctorFact, { code: 'secrets-trouble' }>, RegExp] => [
      {
        code: 'secrets-trouble',
        kept: kept({ keep: 'keychain', count: { keychain: 2, file: 0 }, keychain: inTrouble(trouble) }),
      },
      /2.*no bus/,
    ]),
    [
      { code: 'secrets-trouble', kept: kept({ keep: 'file', moving: 'file', count: { keychain: 1, file: 2 } }) },
      /1.*2.*(Moving to the file|移到文件)/,
    ],
    [
      {
        code: 'secrets-trouble',
        kept: kept({
          keep: 'keychain',
          moving: 'keychain',
          count: { keychain: 2, file: 0 },
          keychain: { kind: 'works' },
          strays: [
            { name: 'glm-main', place: 'file' },
            { name: 'zai-main', place: 'file' },
          ],
        }),
      },
      /(file|文件).*glm-main.*zai-main/,
    ],
    [
      {
        code: 'secrets-trouble',
        kept: kept({
          keep: 'file',
          count: { keychain: 0, file: 1 },
          keychain: inTrouble('unreachable'),
          strays: [{ name: 'glm-main', place: 'keychain' }],
        }),
      },
      /(keychain|钥匙串).*glm-main/,
    ],
  ],
  terminals: [
    [{ code: 'terminals', count: 1 }, /1.*(terminal|终端)/],
    [{ code: 'terminals', count: 2 }, /2.*(terminals|终端)/],
  ],
  agent: [
    [{ ...agent, standing: { kind: 'verified' } }, /Codex 0\.9.*\/bin\/codex/],
    [{ ...agent, standing: { kind: 'newer', than: '0.8' } }, /Codex 0\.9.*0\.8/],
    [{ ...agent, standing: { kind: 'older', than: '1.0' } }, /Codex 0\.9.*1\.0/],
    [{ ...agent, version: null, standing: { kind: 'untold' } }, /Codex/],
  ],
}
const all = Object.values(facts).flat() as [DoctorFact, RegExp][]

describe.each(['en', 'zh-CN'] as const)('a finding in %s', (language) => {
  const { doctor } = sentencesOf(language)

  it.each(all)('says what it is about, and what to do where something is wrong: %j', (fact, about) => {
    const { say, mend } = doctor(fact)
    expect(say).toMatch(about)
    expect(say).not.toMatch(/^(It\b|它)/)
    if (isFine(fact)) expect(mend).toBeNull()
    else expect(mend).toMatch(/\S{4,}.*[.。]$/)
  })

  it('says what is left to do where the file was chosen and the keychain is out of reach', () => {
    const facts = { count: { keychain: 2, file: 0 }, keychain: inTrouble('unreachable') }
    const before = doctor({ code: 'secrets-trouble', kept: kept({ keep: 'keychain', ...facts }) }).mend
    expect(before).toMatch(/--to file.*(stay in the keychain|留在钥匙串)/)
    const after = doctor({ code: 'secrets-trouble', kept: kept({ keep: 'file', moving: 'file', ...facts }) }).mend
    expect(after).not.toContain('--to file')
    expect(after).toMatch(/set these anew|重新填/)
  })

  it('reads like no other one', () => {
    const said = all.filter(([{ code }]) => code !== 'reviewer-later').map(([fact]) => doctor(fact).say)
    expect(new Set(said).size).toBe(said.length)
  })

  it('tells the keys of one provider apart', () => {
    const [main, spare] = ['main', 'spare'].map((key) => doctor({ code: 'key-set', provider: 'zai', key }).say)
    expect(main).not.toBe(spare)
  })
})
