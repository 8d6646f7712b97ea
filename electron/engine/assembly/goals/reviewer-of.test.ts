import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../../shared/config/schema.ts'
import { reviewerFinding } from '../doctor.ts'
import { reviewerOf } from './reviewer-of.ts'

type Provider = NonNullable<ConfigInput['providers']>[string]
const zai: Provider = {
  type: 'openai-chat',
  baseUrl: 'http://127.0.0.1:9/v1',
  keys: [{ alias: 'main', env: 'ZAI' }],
  models: { 'glm-5': {} },
}
const providers = { zai }
const ownLogin: Record<string, Provider> = {
  anthropic: { type: 'anthropic', baseUrl: 'http://127.0.0.1:9', auth: 'client' },
}
const command = (words: string[]): ConfigInput => ({ stopMessage: { review: { backend: 'command', command: words } } })
const found = async (input: ConfigInput, path: string | null = null) => {
  const config = configSchema.parse(input)
  const asked: string[] = []
  const finding = await reviewerFinding(
    { current: () => config },
    {
      findProgram: async (name) => {
        asked.push(name)
        return path
      },
    },
  )
  return { ...finding, asked }
}

describe('who reviews', () => {
  it.each<[string, ConfigInput, string, RegExp | null]>([
    ['the route review', { providers, routes: { review: ['zai.glm-5'], default: ['zai.glm-4'] } }, 'review', null],
    [
      'else the route default',
      { providers, routes: { default: ['zai.glm-5'], background: ['zai.small'] } },
      'default',
      null,
    ],
    ['without routes a model that a provider lists', { providers }, 'zai.glm-5', null],
    ['a model by its name', { providers, stopMessage: { review: { model: 'zai.glm-6' } } }, 'zai.glm-6', null],
    [
      'a model by an alias',
      { providers, aliases: { judge: 'zai.glm-7' }, stopMessage: { review: { model: 'judge' } } },
      'zai.glm-7',
      null,
    ],
    ['a program', command(['codex', 'exec', '-']), 'codex', null],
    ['nobody: a program is not named', command([]), '', /names no program/],
    ['nobody: the simulator is no model', {}, 'review', /simulator can’t review/],
    [
      'nobody: the provider is not there',
      { providers, stopMessage: { review: { model: 'kimi.k2' } } },
      'kimi.k2',
      /“kimi\.k2”, and no such provider/,
    ],
    [
      'nobody: the client’s own login',
      { providers: ownLogin, routes: { default: ['anthropic.claude'] } },
      'review',
      /anthropic\/claude takes the client’s own login/,
    ],
    [
      'nobody: no route and no model',
      { providers: { zai: { ...zai, models: {} } } },
      'review',
      /neither a route “review” nor/,
    ],
    [
      'the next one, where the first takes the client’s own login',
      { providers: { ...ownLogin, ...providers }, routes: { default: ['anthropic.claude', 'zai.glm-5'] } },
      'default',
      null,
    ],
  ])('%s', (_what, input, by, problem) => {
    const facts = reviewerOf(configSchema.parse(input))
    expect(facts).toMatchObject({ by, backend: input.stopMessage?.review?.backend ?? 'model' })
    if (problem === null) expect(facts.problem).toBeNull()
    else expect(facts.problem).toMatch(problem)
  })
})

describe('what the doctor says of the reviewer', () => {
  it('a route or a model is named, nothing is asked of it', async () => {
    expect(await found({ providers, routes: { review: ['zai.glm-5'] } })).toEqual({
      check: 'reviewer',
      ok: true,
      say: 'Goals are reviewed by the route review.',
      mend: null,
      fact: { code: 'reviewer', kind: 'route', by: 'review' },
      asked: [],
    })
    expect(await found({ providers })).toMatchObject({ ok: true, say: 'Goals are reviewed by zai/glm-5.' })
  })
  it('a program is looked for', async () => {
    expect(await found(command(['codex', 'exec', '-']), '/usr/bin/codex')).toMatchObject({
      ok: true,
      say: 'Goals are reviewed by the program /usr/bin/codex.',
      asked: ['codex'],
    })
    expect(await found(command(['codex', 'exec', '-']))).toMatchObject({
      ok: false,
      say: 'Goals are reviewed by the program codex, which is not found.',
      mend: expect.stringContaining('login shell'),
    })
  })
  it('says how to mend what is missing, and has nothing to mend on a machine without a provider', async () => {
    expect(await found({ providers: ownLogin, routes: { default: ['anthropic.claude'] } })).toMatchObject({
      ok: false,
      mend: expect.stringContaining('"routes": { "review": ["provider.model"] }'),
    })
    expect(await found(command([]))).toMatchObject({
      ok: false,
      mend: expect.stringContaining('"command": ["codex", "exec", "-"]'),
    })
    expect(await found({})).toMatchObject({ ok: true, mend: null })
  })
})
