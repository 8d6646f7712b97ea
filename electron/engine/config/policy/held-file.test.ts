import { describe, expect, it } from 'vitest'
import { emitter } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { openConfig } from '../open.ts'
import { memoryConfigFiles } from '../testing/memory-files.ts'
import type { PolicySource } from './source.ts'

const home = '/home-of-onward'
const strict = {
  organisation: 'Example Ltd',
  providers: [{ address: 'https://good.example', models: ['m-*'] }],
  budgets: { rounds: 50, hours: 4 },
  servertools: ['web_fetch'],
  phone: false,
  fleets: [{ url: 'tls://hub.example', name: 'lab' }],
}

/** A source that a test writes; text null: it is gone, 'no' throws. */
function source(first: unknown, required = false) {
  let text: string | Error | null = typeof first === 'string' ? first : first === null ? null : JSON.stringify(first)
  const changed = emitter<void>(() => undefined)
  const of: PolicySource = {
    name: '/etc/onward/policy.json',
    required,
    async read() {
      if (text instanceof Error) throw text
      return text
    },
    follow: (onChange) => changed.on(onChange),
  }
  return {
    of,
    write(next: string | Error | null) {
      text = next
      changed.emit()
    },
  }
}

async function open(config: unknown, ...policies: readonly PolicySource[]) {
  const files = memoryConfigFiles()
  files.put(`${home}/config.json`, JSON.stringify(config))
  const clock = virtualClock()
  const handle = await openConfig({ home, files, env: {}, clock, log: silentLog, policies })
  const settled = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }
  return { handle, files, settled, text: async () => (await files.read(`${home}/config.json`))?.toString() }
}

const wide = {
  providers: {
    good: { type: 'openai-chat', baseUrl: 'https://good.example/v1', auth: 'none' },
    bad: { type: 'openai-chat', baseUrl: 'https://bad.example/v1', auth: 'none' },
  },
  routes: { default: ['bad.m-1', 'good.m-1', 'good.other'] },
  stopMessage: { budgets: { rounds: 200, hours: null } },
  servertools: { tools: { web_search: true } },
  phone: { host: '127.0.0.1' },
  fleet: { url: 'nats://other.example:4222' },
}

describe('a config file beside a policy', () => {
  it('is bounded, and says what is', async () => {
    const { handle } = await open(wide, source(strict).of)
    const { stopMessage, phone, servertools, clock, providers } = handle.current()
    expect(stopMessage.budgets).toMatchObject({ rounds: 50, hours: 4, noProgressRounds: 5, tokens: null })
    expect([phone.host, servertools.tools, clock.enabled]).toEqual([null, { web_search: false }, false])
    // They stay, so that a person sees what is refused.
    expect(Object.keys(providers)).toEqual(['good', 'bad'])
    const view = handle.policies()
    expect(view?.policies.map(({ organisation }) => organisation)).toEqual(['Example Ltd'])
    expect(view?.bounded.map(({ path }) => path)).toEqual([
      'providers.bad',
      'routes.default.0',
      'routes.default.2',
      'stopMessage.budgets.rounds',
      'stopMessage.budgets.hours',
      'clock.enabled',
      'servertools.tools.web_search',
      'phone.host',
      'fleet.url',
    ])
    expect(handle.current().fleet.url).toBeNull()
    expect([handle.problem(), handle.refusal()]).toEqual([null, null])
  })

  it('without one is as it was', async () => {
    const { handle } = await open(wide, source(null).of)
    expect([handle.policies(), handle.current().held]).toEqual([null, undefined])
    expect(handle.current().stopMessage.budgets.rounds).toBe(200)
  })

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['a budget above its bound', ['stopMessage', 'budgets', 'rounds'], 51, 'held-budget'],
    ['no bound at all', ['stopMessage', 'budgets', 'rounds'], null, 'held-budget'],
    ['the same value as stands there', ['stopMessage', 'budgets', 'rounds'], 200, 'held-budget'],
    ['a tool', ['servertools', 'tools', 'web_search'], true, 'held-tool'],
    ['the clock', ['clock', 'enabled'], true, 'held-tool'],
    ['phones', ['phone', 'host'], 'tailscale', 'held-phone'],
    ['a fleet', ['fleet', 'url'], 'nats://hub.example', 'held-fleet'],
    [
      'a provider',
      ['providers', 'worse'],
      { type: 'openai-chat', baseUrl: 'https://worse.example', auth: 'none' },
      'held-provider',
    ],
    ['the address of a provider', ['providers', 'good', 'baseUrl'], 'https://good.example.evil', 'held-provider'],
    ['a route', ['routes', 'review'], ['good.others'], 'held-model'],
    ['an alias', ['aliases', 'sonnet'], 'good.others', 'held-model'],
    ['a reviewer', ['stopMessage', 'review', 'model'], 'good/others', 'held-model'],
  ])('is not written where that would set %s', async (_what, path, value, fault) => {
    const { handle, text } = await open(wide, source(strict).of)
    const before = await text()
    const error = await handle.edit([{ path, value }]).catch((thrown: unknown) => thrown)
    expect(OnwardError.isInstance(error) && [error.code, error.status, error.details['fault']]).toEqual([
      'held-by-policy',
      403,
      fault,
    ])
    expect(String(error)).toMatch(/Your organisation \(Example Ltd\) .*\. Nothing was changed\.$/)
    expect(await text()).toBe(before)
  })

  it('is written where that narrows it, or has nothing to do with the policy', async () => {
    const { handle } = await open(wide, source(strict).of)
    await handle.edit([{ path: ['stopMessage', 'budgets', 'rounds'], value: 10 }])
    await handle.edit([{ path: ['server', 'port'], value: 4711 }])
    await handle.edit([{ path: ['routes', 'default'], value: ['good.m-1', 'bad.m-1'] }])
    await handle.edit([{ path: ['phone', 'host'], value: undefined }])
    expect(handle.current().stopMessage.budgets.rounds).toBe(10)
    expect(handle.policies()?.bounded.map(({ path }) => path)).not.toContain('phone.host')
  })

  it('as a whole text is refused at the place that goes too far', async () => {
    const { handle } = await open({}, source(strict).of)
    const { revision } = await handle.read()
    const text = '{\n  "stopMessage": { "budgets": { "rounds": 51 } },\n  "phone": { "host": "127.0.0.1" }\n}'
    expect(await handle.save(text, revision)).toMatchObject({
      kind: 'refused',
      problems: [{ line: 3, path: 'phone.host', code: 'held-phone' }],
    })
    expect(await handle.save('{ "stopMessage": { "budgets": { "rounds": 49 } } }', revision)).toMatchObject({
      kind: 'saved',
    })
  })

  it('follows the policy while it runs', async () => {
    const policy = source(null)
    const { handle, settled } = await open(wide, policy.of)
    const told: (number | null)[] = []
    handle.onChange(() => told.push(handle.current().stopMessage.budgets.rounds))
    policy.write(JSON.stringify(strict))
    await settled()
    policy.write(null)
    await settled()
    expect(told).toEqual([50, 200])
    expect(handle.policies()).toBeNull()
  })
})

describe('a policy that can’t be read', () => {
  it.each<[string, string | Error]>([
    ['with a slip of an administrator’s', '{ "phone": false, "bugdets": {} }'],
    ['cut to nothing', ''],
    ['that may not be read', new Error('EACCES')],
  ])('%s: while the engine runs, what was read before goes on', async (_what, broken) => {
    const policy = source(strict)
    const { handle, settled } = await open(wide, policy.of)
    policy.write(broken)
    await settled()
    expect(handle.current().stopMessage.budgets.rounds).toBe(50)
    expect([handle.refusal(), handle.policies()?.trouble?.meanwhile]).toEqual([null, 'before'])
    expect(handle.policies()?.trouble?.said).toMatch(/policy\.json.* The rules read before go on\.$/)
    policy.write(JSON.stringify({ ...strict, budgets: { rounds: 7 } }))
    await settled()
    expect([handle.current().stopMessage.budgets.rounds, handle.policies()?.trouble]).toEqual([7, null])
  })

  it.each<[string, string | Error]>([
    ['with a slip', '{ "phone": false, "bugdets": {} }'],
    ['that may not be read', new Error('EACCES')],
  ])('%s from the start: nothing may run, and it says so', async (_what, broken) => {
    const policy = source('')
    policy.write(broken)
    const { handle, settled } = await open(wide, policy.of)
    expect(handle.refusal()).toMatch(/policy\.json.* Onward refuses all calls until it is mended\.$/)
    const { phone, servertools, clock } = handle.current()
    expect([phone.host, servertools.tools, clock.enabled]).toEqual([null, { web_search: false }, false])
    policy.write(JSON.stringify(strict))
    await settled()
    expect([handle.refusal(), handle.policies()?.trouble]).toEqual([null, null])
  })

  it('that must be there and is not: nothing may run', async () => {
    const { handle } = await open(wide, source(null, true).of)
    expect(handle.refusal()).toMatch(/^There is no policy file .*policy\.json/)
  })

  it('leaves the other in force, and both hold', async () => {
    const other = source({ budgets: { rounds: 70, tokens: 1_000 } })
    const { handle } = await open(wide, source(strict).of, other.of)
    expect(handle.current().stopMessage.budgets).toMatchObject({ rounds: 50, tokens: 1_000 })
  })
})
