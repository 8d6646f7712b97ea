import { describe, expect, it } from 'vitest'
import { readModelList } from './read-model-list.ts'

const read = (value: unknown) => readModelList(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const bare = { name: null, contextWindow: null, vision: null, thinking: null, price: null }

// Each in the form its vendor documents; the texts are our own.
describe('a list of models', () => {
  it.each<[vendor: string, answer: unknown, models: unknown]>([
    [
      'OpenAI',
      { object: 'list', data: [{ id: 'gpt-5', object: 'model', created: 1_754_425_777, owned_by: 'system' }] },
      [{ ...bare, id: 'gpt-5' }],
    ],
    [
      'Anthropic',
      {
        data: [
          {
            type: 'model',
            id: 'claude-sonnet-5',
            display_name: 'Claude Sonnet 5',
            created_at: '2026-05-14T00:00:00Z',
            max_input_tokens: 1_000_000,
            max_tokens: 64_000,
            capabilities: {
              image_input: { supported: true },
              thinking: { supported: true, types: { enabled: { supported: true } } },
            },
          },
          { type: 'model', id: 'claude-haiku-3', display_name: 'Claude Haiku 3', created_at: '2024-03-07T00:00:00Z' },
        ],
        first_id: 'claude-sonnet-5',
        has_more: false,
        last_id: 'claude-haiku-3',
      },
      [
        {
          id: 'claude-sonnet-5',
          name: 'Claude Sonnet 5',
          contextWindow: 1_000_000,
          vision: true,
          thinking: true,
          price: null,
        },
        { ...bare, id: 'claude-haiku-3', name: 'Claude Haiku 3' },
      ],
    ],
    [
      'Gemini, without what generates nothing',
      {
        models: [
          {
            name: 'models/gemini-3-pro',
            displayName: 'Gemini 3 Pro',
            inputTokenLimit: 1_048_576,
            outputTokenLimit: 65_536,
            supportedGenerationMethods: ['generateContent', 'countTokens'],
            thinking: true,
          },
          { name: 'models/embedding-001', inputTokenLimit: 2048, supportedGenerationMethods: ['embedContent'] },
        ],
      },
      [{ ...bare, id: 'gemini-3-pro', name: 'Gemini 3 Pro', contextWindow: 1_048_576, thinking: true }],
    ],
    [
      'OpenRouter, with its prices',
      {
        data: [
          {
            id: 'z-ai/glm-5',
            name: 'Z.AI: GLM 5',
            context_length: 202_752,
            architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
            pricing: { prompt: '0.0000006', completion: '0.0000022', input_cache_read: '0.00000011', image: '0' },
            supported_parameters: ['tools', 'reasoning'],
          },
          {
            id: 'openrouter/auto',
            name: 'Auto',
            context_length: 2_000_000,
            pricing: { prompt: '-1', completion: '-1' },
          },
        ],
      },
      [
        {
          id: 'z-ai/glm-5',
          name: 'Z.AI: GLM 5',
          contextWindow: 202_752,
          vision: true,
          thinking: true,
          price: { input: 0.6, cachedInput: 0.11, output: 2.2 },
        },
        { ...bare, id: 'openrouter/auto', name: 'Auto', contextWindow: 2_000_000 },
      ],
    ],
    [
      'Mistral',
      { data: [{ id: 'devstral', name: 'devstral', max_context_length: 262_144, capabilities: { vision: false } }] },
      [{ ...bare, id: 'devstral', contextWindow: 262_144, vision: false }],
    ],
    [
      'Moonshot',
      { data: [{ id: 'kimi-k3', context_length: 262_144, supports_image_in: true, supports_reasoning: true }] },
      [{ ...bare, id: 'kimi-k3', contextWindow: 262_144, vision: true, thinking: true }],
    ],
    [
      'Groq',
      { object: 'list', data: [{ id: 'llama-4', object: 'model', active: true, context_window: 131_072 }] },
      [{ ...bare, id: 'llama-4', contextWindow: 131_072 }],
    ],
    [
      'Together, which sends the list alone',
      [{ id: 'Qwen/Qwen3', display_name: 'Qwen 3', context_length: 40_960, type: 'chat' }],
      [{ ...bare, id: 'Qwen/Qwen3', name: 'Qwen 3', contextWindow: 40_960 }],
    ],
    [
      'vLLM',
      { object: 'list', data: [{ id: 'qwen3-coder', owned_by: 'vllm', max_model_len: 65_536 }] },
      [{ ...bare, id: 'qwen3-coder', contextWindow: 65_536 }],
    ],
    [
      'Ollama',
      { object: 'list', data: [{ id: 'qwen3:8b', object: 'model', created: 1, owned_by: 'library' }] },
      [{ ...bare, id: 'qwen3:8b' }],
    ],
    ['Ollama without a model', { object: 'list', data: null }, []],
    [
      'Ollama’s own form',
      { models: [{ name: 'qwen3:8b', model: 'qwen3:8b', details: { family: 'qwen3' } }] },
      [{ ...bare, id: 'qwen3:8b' }],
    ],
    [
      'LM Studio’s own form, without what only embeds',
      {
        object: 'list',
        data: [
          { id: 'qwen2.5-vl', type: 'vlm', max_context_length: 32_768, state: 'not-loaded' },
          { id: 'nomic-embed', type: 'embeddings', max_context_length: 2048 },
        ],
      },
      [{ ...bare, id: 'qwen2.5-vl', contextWindow: 32_768, vision: true }],
    ],
  ])('of %s', (_vendor, answer, models) => expect(read(answer)).toEqual({ models, next: null }))

  it('says how to ask for the page behind it', () => {
    expect(read({ data: [], has_more: true, last_id: 'm-9' })?.next).toBe('m-9')
    expect(read({ models: [], nextPageToken: 'tok' })?.next).toBe('tok')
    expect(read({ data: [], has_more: false, last_id: 'm-9' })?.next).toBeNull()
  })

  it.each(['<html>hello</html>', '', '{"error":{"message":"no"}}', '"text"', 'null'])('is not what reads %j', (text) =>
    expect(read(text)).toBeNull(),
  )

  it('passes over what has no name, and names each once', () =>
    expect(read({ data: [{}, null, 7, { id: 'a' }, { id: 'a' }, 'b'] })?.models.map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]))
})
