/**
 * Common providers as data: the first-run page and the CLI offer them, and a provider named like one needs no baseUrl.
 */
import type { ProviderConfig, ProviderType } from './schema.ts'

export interface ProviderPreset {
  /** also the provider id that it gets unless the person names another */
  id: string
  name: string
  type: ProviderType
  baseUrl: string
  /** how the key is sent */
  auth: 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'none'
  /** the environment variable by which the vendor's own tools know the key */
  keyEnv: string | null
}

// Base addresses as the vendors document them for OpenAI- or Anthropic-compatible clients (2026-11).
export const providerPresets: readonly ProviderPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    type: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    auth: 'bearer',
    keyEnv: 'OPENAI_API_KEY',
  },
  {
    id: 'openai-chat',
    name: 'OpenAI (Chat Completions)',
    type: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    auth: 'bearer',
    keyEnv: 'OPENAI_API_KEY',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    type: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    auth: 'x-api-key',
    keyEnv: 'ANTHROPIC_API_KEY',
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    type: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    auth: 'x-goog-api-key',
    keyEnv: 'GEMINI_API_KEY',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    type: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    auth: 'bearer',
    keyEnv: 'OPENROUTER_API_KEY',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    type: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    auth: 'bearer',
    keyEnv: 'DEEPSEEK_API_KEY',
  },
  {
    id: 'deepseek-anthropic',
    name: 'DeepSeek (Messages)',
    type: 'anthropic',
    baseUrl: 'https://api.deepseek.com/anthropic',
    auth: 'x-api-key',
    keyEnv: 'DEEPSEEK_API_KEY',
  },
  {
    id: 'zai',
    name: 'Z.ai GLM',
    type: 'openai-chat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    auth: 'bearer',
    keyEnv: 'ZAI_API_KEY',
  },
  {
    id: 'zai-coding',
    name: 'Z.ai GLM Coding Plan',
    type: 'openai-chat',
    baseUrl: 'https://api.z.ai/api/coding/paas/v4',
    auth: 'bearer',
    keyEnv: 'ZAI_API_KEY',
  },
  {
    id: 'zai-anthropic',
    name: 'Z.ai GLM (Messages)',
    type: 'anthropic',
    baseUrl: 'https://api.z.ai/api/anthropic',
    auth: 'bearer',
    keyEnv: 'ZAI_API_KEY',
  },
  {
    id: 'moonshot',
    name: 'Moonshot Kimi',
    type: 'openai-chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    auth: 'bearer',
    keyEnv: 'MOONSHOT_API_KEY',
  },
  {
    id: 'moonshot-anthropic',
    name: 'Moonshot Kimi (Messages)',
    type: 'anthropic',
    baseUrl: 'https://api.moonshot.ai/anthropic',
    auth: 'bearer',
    keyEnv: 'MOONSHOT_API_KEY',
  },
  {
    id: 'qwen',
    name: 'Alibaba Qwen',
    type: 'openai-chat',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    auth: 'bearer',
    keyEnv: 'DASHSCOPE_API_KEY',
  },
  {
    id: 'minimax',
    name: 'MiniMax',
    type: 'openai-chat',
    baseUrl: 'https://api.minimax.io/v1',
    auth: 'bearer',
    keyEnv: 'MINIMAX_API_KEY',
  },
  {
    id: 'minimax-anthropic',
    name: 'MiniMax (Messages)',
    type: 'anthropic',
    baseUrl: 'https://api.minimax.io/anthropic',
    auth: 'x-api-key',
    keyEnv: 'MINIMAX_API_KEY',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    type: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    auth: 'none',
    keyEnv: null,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    type: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    auth: 'none',
    keyEnv: null,
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    type: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    auth: 'none',
    keyEnv: null,
  },
  { id: 'vllm', name: 'vLLM', type: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1', auth: 'none', keyEnv: null },
]

export const presetOf = (id: string): ProviderPreset | null => providerPresets.find((p) => p.id === id) ?? null

/**
 * The address of a provider: its own, else that of the preset it is named after. Never another vendor's: the key would
 * go there.
 */
export function baseUrlOf(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): string | null {
  if (provider.baseUrl !== undefined) return provider.baseUrl
  const preset = presetOf(id)
  return preset && preset.type === provider.type ? preset.baseUrl : null
}
