import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('the model that a new provider begins with', () => {
  it.each([
    [
      ['claude-opus-4-6', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-20250514', 'claude-haiku-4-5'],
      'claude-sonnet-4-5-20250929',
    ],
    [['gpt-4o', 'gpt-5', 'gpt-5.2', 'text-embedding-3-large', 'whisper-1'], 'gpt-5.2'],
    [['glm-4.6', 'glm-5', 'glm-4.5-air'], 'glm-5'],
    [['deepseek-reasoner', 'deepseek-chat'], 'deepseek-chat'],
    [['only-one'], 'only-one'],
    [['some-model', 'another-model'], null],
    [[], null],
  ])('of %j is %s', (models, chosen) => {
    expect(chooseModel(models)).toBe(chosen)
  })
})
