import { baseUrlOf } from '../../../shared/config/presets.ts'
import type { Config, ProviderType } from '../../../shared/config/schema.ts'
import type { Target } from './types.ts'

/** Well-known values of `gen_ai.provider.name`, by host; semantic conventions 1.41.1, model/gen-ai/registry.yaml. */
const byHost: readonly (readonly [host: RegExp, name: string])[] = [
  [/^api\.openai\.com$/, 'openai'],
  [/\.openai\.azure\.com$/, 'azure.ai.openai'],
  [/\.(?:inference|services)\.ai\.azure\.com$/, 'azure.ai.inference'],
  [/^generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/aiplatform\.googleapis\.com$/, 'gcp.vertex_ai'],
  [/^api\.anthropic\.com$/, 'anthropic'],
  [/^bedrock.*\.amazonaws\.com$/, 'aws.bedrock'],
  [/^api\.cohere\.(?:com|ai)$/, 'cohere'],
  [/\.ml\.cloud\.ibm\.com$/, 'ibm.watsonx.ai'],
  [/^api\.perplexity\.ai$/, 'perplexity'],
  [/^api\.x\.ai$/, 'x_ai'],
  [/^api\.deepseek\.com$/, 'deepseek'],
  [/^api\.groq\.com$/, 'groq'],
  [/^api\.mistral\.ai$/, 'mistral_ai'],
]

/** Elsewhere the name says whose format is spoken, which is what the conventions take it for. */
const byType: Readonly<Record<ProviderType, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gen_ai',
  simulator: 'onward.simulator',
}

/** Returns how conventions name each provider of the config, by its id. */
export const targetsOf = ({ providers }: Pick<Config, 'providers'>): ReadonlyMap<string, Target> =>
  new Map(
    Object.entries(providers).map(([id, provider]) => [id, targetOf(provider.type, baseUrlOf(id, provider))] as const),
  )

/** Called for the built-in simulator as well, which has no address. */
export function targetOf(type: ProviderType, baseUrl: string | null): Target {
  const operation = type === 'gemini' ? 'generate_content' : 'chat'
  if (baseUrl === null || !URL.canParse(baseUrl)) return { name: byType[type], operation, server: null }
  const { hostname, port, protocol } = new URL(baseUrl)
  return {
    name: byHost.find(([host]) => host.test(hostname))?.[1] ?? byType[type],
    operation,
    server: { address: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) },
  }
}
