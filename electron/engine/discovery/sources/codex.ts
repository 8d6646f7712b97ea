import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asText, at, objectIn, tomlSections } from '../read-loosely.ts'
import type { Found, DiscoveryContext, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** Codex: a key it keeps, its sign-in, and the providers of its config that read a variable. */
export const fromCodex: Source = async (context) => {
  const folder = context.env.CODEX_HOME || join(context.home, '.codex')
  const auth = join(folder, 'auth.json')
  const kept = objectIn(await context.read(auth))
  const config = join(folder, 'config.toml')
  const key = credentialIn(asText(kept.OPENAI_API_KEY), context)
  const found: Found[] = []
  if (key) found.push({ tool: 'codex', where: auth, vendor: vendorOf('openai'), models: [], credential: key })
  if (asText(at(kept, 'tokens', 'access_token')) !== null)
    found.push({
      tool: 'codex',
      where: auth,
      vendor: null,
      name: 'ChatGPT',
      models: [],
      credential: { kind: 'none', why: 'own-login' },
    })
  return [...found, ...codexProviders('codex', config, await context.read(config), null, context)]
}

/**
 * The providers that a `config.toml` of Codex names.
 *
 * @param key for those that name no variable; null: those are left out
 */
export function codexProviders(
  tool: Found['tool'],
  where: string,
  toml: string | null,
  key: string | null,
  context: DiscoveryContext,
): readonly Found[] {
  const sections = tomlSections(toml)
  const chosen = sections.get('')
  return [...sections].flatMap(([section, values]): readonly Found[] => {
    const id = /^model_providers\.(.+)$/.exec(section)?.[1]
    const address = values.base_url
    if (id === undefined || address === undefined || context.isOwn(address)) return []
    const credential = credentialIn(values.env_key === undefined ? key : `$${values.env_key}`, context)
    const vendor = vendorAt(address, values.wire_api === 'chat' ? 'openai-chat' : 'openai-responses')
    if (!credential || !vendor) return []
    const models = chosen?.model_provider === id && chosen.model !== undefined ? [chosen.model] : []
    return [{ tool, where, vendor, models, credential }]
  })
}
