import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asList, asText, at, objectIn } from '../read-loosely.ts'
import type { Found, Source, Vendor } from '../types.ts'
import { vendorAt } from '../vendor.ts'

/** claude-code-router: the providers of its config, whose addresses name the whole path of a call. */
export const fromClaudeCodeRouter: Source = async (context) => {
  const file = join(context.home, '.claude-code-router', 'config.json')
  const config = objectIn(await context.read(file))
  return asList(config.Providers ?? config.providers).flatMap((entry): readonly Found[] => {
    const address = asText(at(entry, 'api_base_url'))
    const credential = credentialIn(asText(at(entry, 'api_key')), context)
    const place = address === null ? null : placeOf(address)
    const vendor = place && !context.isOwn(place.baseUrl) ? vendorAt(place.baseUrl, place.type) : null
    if (!credential || !vendor) return []
    const models = asList(at(entry, 'models')).flatMap((model) => asText(model) ?? [])
    return [{ tool: 'claude-code-router', where: file, vendor, models, credential }]
  })
}

/** The end of a call's path shows which protocol is spoken there. */
const endings = [
  ['/v1/messages', 'anthropic'],
  ['/v1beta/models', 'gemini'],
  ['/responses', 'openai-responses'],
  ['/chat/completions', 'openai-chat'],
] as const

function placeOf(address: string): { baseUrl: string; type: Vendor['type'] } {
  const url = address.replace(/\/+$/, '')
  const known = endings.find(([ending]) => url.endsWith(ending))
  return known ? { baseUrl: url.slice(0, -known[0].length), type: known[1] } : { baseUrl: url, type: 'openai-chat' }
}
