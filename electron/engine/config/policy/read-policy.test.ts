import { describe, expect, it } from 'vitest'
import { providerPresets } from '../../../../shared/config/presets.ts'
import { readPolicy } from './read-policy.ts'

const read = (value: unknown) => readPolicy(JSON.stringify(value), '/etc/onward/policy.json')

describe('a policy’s text', () => {
  it('says what it holds; what it leaves out is free', () => {
    expect(read({}).policy).toEqual({
      organisation: null,
      contact: null,
      source: '/etc/onward/policy.json',
      providers: null,
      budgets: {},
      servertools: null,
      telemetry: true,
      phone: true,
      fleets: null,
    })
    const whole = {
      organisation: 'Example Ltd',
      contact: 'it@example.com',
      providers: [{ preset: 'openai', models: ['gpt-*'] }, { address: 'https://llm.example.com/v1' }],
      budgets: { rounds: 50, costUsd: 0.5 },
      servertools: ['clock'],
      telemetry: false,
      phone: false,
      fleets: [{ url: 'tls://hub:4222', name: 'lab' }],
    }
    expect(read(whole).policy).toEqual({
      ...whole,
      source: '/etc/onward/policy.json',
      providers: [
        { address: 'https://api.openai.com', models: ['gpt-*'] },
        { address: 'https://llm.example.com/v1', models: null },
      ],
    })
  })

  it('allows every preset by its name', () => {
    for (const { id, baseUrl } of providerPresets)
      expect(read({ providers: [{ preset: id }] }).policy?.providers).toEqual([
        { address: new URL(baseUrl).origin, models: null },
      ])
  })

  it('is JSON with comments', () => {
    expect(readPolicy('{ // no phones\n "phone": false, }', 'p').policy?.phone).toBe(false)
  })

  it.each([
    ['a name that is not known, which could be a slip', { phones: false }, 'unknown-setting'],
    ['a vendor that is not known', { providers: [{ preset: 'openia' }] }, 'no-form'],
    ['an address without a scheme', { providers: [{ address: 'llm.example.com' }] }, 'address'],
    ['no models at all', { providers: [{ preset: 'openai', models: [] }] }, 'too-small'],
    ['a bound of nothing', { budgets: { rounds: 0 } }, 'too-small'],
    ['a hub with a login', { fleets: [{ url: 'nats://ada:hunter2@hub' }] }, 'bad-form'],
    ['another kind of value', { phone: 'off' }, 'wrong-type'],
  ])('with %s is wrong', (_what, value, code) => {
    const { policy, problems } = read(value)
    expect(policy).toBeNull()
    expect(problems.map((one) => one.code)).toContain(code)
  })

  it('stands as it is: no variable of a person’s fills it in', () => {
    expect(readPolicy('{ "organisation": "${HOME}" }', 'p').policy?.organisation).toBe('${HOME}')
  })
})
