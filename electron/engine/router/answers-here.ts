import { baseUrlOf, presetOf } from '../../../shared/config/presets.ts'
import type { ProviderConfig } from '../../../shared/config/schema.ts'

/** Programs that run a model on the machine they answer on. */
const runners: readonly string[] = ['ollama', 'lmstudio', 'llamacpp', 'vllm']

/**
 * True if the model runs on this machine, so that its tokens cost nothing. A local address alone does not say so:
 * gateways answer there as well, and pass requests on to paid providers.
 */
export function answersHere(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): boolean {
  const before = known.get(provider)
  if (before?.id === id) return before.here
  const here = answers(id, provider)
  known.set(provider, { id, here })
  return here
}

/** Every request asks for it to know its cost; forgotten with the config that named the provider. */
const known = new WeakMap<object, { id: string; here: boolean }>()

function answers(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): boolean {
  if (provider.type === 'simulator') return true
  const address = baseUrlOf(id, provider)
  if (address === null || !isLoopback(address)) return false
  return runners.includes(id) || runners.some((name) => new URL(presetOf(name)?.baseUrl ?? '').host === hostOf(address))
}

const hostOf = (address: string): string => new URL(address).host.replace(/^(localhost|\[::1\])(?=:|$)/, '127.0.0.1')

const isLoopback = (address: string): boolean =>
  URL.canParse(address) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
