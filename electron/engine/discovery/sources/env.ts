import { providerPresets } from '../../../../shared/config/presets.ts'
import { isKey } from '../credential.ts'
import type { Found, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** A key in a variable is for the address in the variable beside it, where there is one. */
const beside: Readonly<Record<string, { url: string; type: 'anthropic' | 'openai-responses' | 'gemini' }>> = {
  ANTHROPIC_API_KEY: { url: 'ANTHROPIC_BASE_URL', type: 'anthropic' },
  ANTHROPIC_AUTH_TOKEN: { url: 'ANTHROPIC_BASE_URL', type: 'anthropic' },
  OPENAI_API_KEY: { url: 'OPENAI_BASE_URL', type: 'openai-responses' },
  GEMINI_API_KEY: { url: 'GOOGLE_GEMINI_BASE_URL', type: 'gemini' },
}
/** the vendors of variables that no preset names first */
const also: Readonly<Record<string, string>> = { ANTHROPIC_AUTH_TOKEN: 'anthropic', GOOGLE_API_KEY: 'gemini' }

/** Keys in the variables that the vendors' own tools read. */
export const fromEnv: Source = async ({ env, isOwn }) => {
  const names = new Map<string, string>()
  for (const { id, keyEnv } of providerPresets) if (keyEnv !== null && !names.has(keyEnv)) names.set(keyEnv, id)
  for (const [name, id] of Object.entries(also)) names.set(name, id)
  const found: Found[] = []
  for (const [name, presetId] of names) {
    const value = env[name]?.trim()
    if (value === undefined || !isKey(value)) continue
    const other = beside[name]
    const address = other ? env[other.url]?.trim() : undefined
    if (address !== undefined && address !== '' && isOwn(address)) continue
    const bearer = name === 'ANTHROPIC_AUTH_TOKEN'
    // At another address it is another vendor's key. Most of those speak Chat Completions only.
    const type = other?.type === 'openai-responses' ? 'openai-chat' : (other?.type ?? 'openai-chat')
    const vendor = address ? vendorAt(address, type, bearer) : vendorOf(presetId)
    if (vendor)
      found.push({
        tool: 'env',
        where: name,
        vendor: bearer ? { ...vendor, header: 'bearer' } : vendor,
        models: [],
        credential: { kind: 'env', name, value },
      })
  }
  if (isKey(env.CLAUDE_CODE_OAUTH_TOKEN ?? ''))
    found.push({
      tool: 'env',
      where: 'CLAUDE_CODE_OAUTH_TOKEN',
      vendor: vendorOf('anthropic'),
      models: [],
      credential: { kind: 'login' },
    })
  return found
}
