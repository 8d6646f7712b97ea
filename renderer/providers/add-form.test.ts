import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { providerPresets } from '../../shared/config/presets.ts'
import { providerOperations } from '../../shared/operations/providers.ts'
import { checkForm, formOf, presetGroups, type AddForm, type AddProblems } from './add-form.ts'

const own = (over: Partial<AddForm> = {}): AddForm => ({
  ...formOf(null, []),
  id: 'mine',
  baseUrl: 'https://llm.example/v1',
  secret: 'sk-1',
  ...over,
})

describe('the form of a provider', () => {
  it('starts with what a preset knows', () => {
    expect(formOf('zai', [])).toMatchObject({
      preset: 'zai',
      id: 'zai',
      type: 'openai-chat',
      auth: 'secret',
      env: 'ZAI_API_KEY',
    })
    expect(formOf('ollama', ['ollama', 'ollama-2'])).toMatchObject({ id: 'ollama-3', auth: 'none' })
    expect(presetGroups.local.map((p) => p.id)).toEqual(['ollama', 'lmstudio', 'llamacpp', 'vllm'])
  })

  it('never takes a pasted key to another vendor', () =>
    expect(formOf('openai', [], own({ secret: 'sk-zai', models: 'a' }))).toMatchObject({ secret: '', models: 'a' }))

  it.each([
    [{}, {}],
    [{ id: ' ' }, { id: 'empty' }],
    [{ id: 'my zai' }, { id: 'bad' }],
    [{ id: 'zai' }, { id: 'taken' }],
    [{ baseUrl: '' }, { baseUrl: 'empty' }],
    [{ baseUrl: 'llm.example' }, { baseUrl: 'bad' }],
    [{ baseUrl: 'ftp://llm.example' }, { baseUrl: 'bad' }],
    [{ secret: '' }, { secret: 'empty' }],
    [{ auth: 'none', secret: '' }, {}],
    [{ auth: 'client', secret: '' }, {}],
    [{ auth: 'env', env: '' }, { env: 'empty' }],
    [{ auth: 'env', env: 'sk-not-a-name' }, { env: 'bad' }],
    [{ auth: 'env', env: 'MY_KEY' }, {}],
  ] satisfies [Partial<AddForm>, AddProblems][])('with %j has the problems %j', (over, problems) => {
    const checked = checkForm(own(over), ['zai'])
    expect(checked.ok ? {} : checked.problems).toEqual(problems)
  })

  it('becomes what the engine takes, for every preset', () => {
    for (const preset of providerPresets) {
      const checked = checkForm({ ...formOf(preset.id, []), secret: 'sk-1' }, [])
      expect(checked.ok && providerOperations.addProvider.input(z).safeParse(checked.input).success).toBe(true)
    }
    expect(checkForm(own({ auth: 'env', env: 'MY_KEY', models: 'a, b\nc a' }), [])).toEqual({
      ok: true,
      input: {
        id: 'mine',
        preset: null,
        type: 'openai-chat',
        baseUrl: 'https://llm.example/v1',
        auth: 'key',
        key: { env: 'MY_KEY' },
        models: ['a', 'b', 'c'],
      },
    })
  })
})
