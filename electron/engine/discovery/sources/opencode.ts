import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asObject, asText, at, objectIn } from '../read-loosely.ts'
import type { Found, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** opencode's names of vendors, by ours. */
const presets: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  openrouter: 'openrouter',
  google: 'gemini',
  deepseek: 'deepseek',
  zai: 'zai',
  'zai-coding-plan': 'zai-coding',
  moonshotai: 'moonshot',
  alibaba: 'qwen',
  minimax: 'minimax',
}

/** opencode: what `opencode auth login` kept, and providers of its config. */
export const fromOpencode: Source = async (context) => {
  const auth = join(context.env.XDG_DATA_HOME || join(context.home, '.local', 'share'), 'opencode', 'auth.json')
  const kept = Object.entries(objectIn(await context.read(auth))).flatMap(([id, entry]): readonly Found[] => {
    const preset = Object.hasOwn(presets, id) ? presets[id] : undefined
    const type = asText(at(entry, 'type'))
    if (type === 'oauth')
      return [
        {
          tool: 'opencode',
          where: auth,
          vendor: null,
          name: preset === undefined ? id : vendorOf(preset).name,
          models: [],
          credential: { kind: 'none', why: 'own-login' },
        },
      ]
    const key = credentialIn(asText(at(entry, 'key')), context)
    return type === 'api' && preset !== undefined && key
      ? [{ tool: 'opencode', where: auth, vendor: vendorOf(preset), models: [], credential: key }]
      : []
  })
  const folder = join(context.env.XDG_CONFIG_HOME || join(context.home, '.config'), 'opencode')
  const configured: Found[] = []
  for (const name of ['opencode.json', 'opencode.jsonc']) {
    const where = join(folder, name)
    const providers = asObject(at(objectIn(await context.read(where)), 'provider'))
    for (const provider of Object.values(providers)) {
      const address = asText(at(provider, 'options', 'baseURL'))
      if (address === null || context.isOwn(address)) continue
      const type = asText(at(provider, 'npm')) === '@ai-sdk/anthropic' ? 'anthropic' : 'openai-chat'
      // The SDK's address of Anthropic ends with `/v1`, ours does not.
      const vendor = vendorAt(type === 'anthropic' ? address.replace(/\/v1\/?$/, '') : address, type)
      const credential = credentialIn(asText(at(provider, 'options', 'apiKey')), context)
      if (vendor && credential)
        configured.push({
          tool: 'opencode',
          where,
          vendor,
          models: Object.keys(asObject(at(provider, 'models'))),
          credential,
        })
    }
  }
  return [...kept, ...configured]
}
