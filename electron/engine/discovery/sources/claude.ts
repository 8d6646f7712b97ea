import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asText, at, objectIn } from '../read-loosely.ts'
import type { Found, DiscoveryContext, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** Claude Code: its sign-in, a key it keeps, and the address and key that its settings give it. */
export const fromClaude: Source = async (context) => {
  const folder = context.env.CLAUDE_CONFIG_DIR || join(context.home, '.claude')
  const credentials = join(folder, '.credentials.json')
  // Beside the folder by itself, within it where a variable names the folder.
  const state = context.env.CLAUDE_CONFIG_DIR ? join(folder, '.claude.json') : join(context.home, '.claude.json')
  const kept = objectIn(await context.read(state))
  const found: Found[] = []
  // macOS keeps the sign-in in its keychain; the account then stands here all the same.
  const signedIn = asText(at(objectIn(await context.read(credentials)), 'claudeAiOauth', 'accessToken')) !== null
  if (signedIn || asText(at(kept, 'oauthAccount', 'accountUuid')) !== null)
    found.push({
      tool: 'claude',
      where: signedIn ? credentials : state,
      vendor: vendorOf('anthropic'),
      models: [],
      credential: { kind: 'login' },
    })
  const own = credentialIn(asText(kept.primaryApiKey), context)
  if (own) found.push({ tool: 'claude', where: state, vendor: vendorOf('anthropic'), models: [], credential: own })
  const settings = join(folder, 'settings.json')
  return [...found, ...anthropicEnv('claude', settings, at(objectIn(await context.read(settings)), 'env'), context)]
}

/** The variables by which Claude Code is given an address and a key, as a file holds them. */
export function anthropicEnv(
  tool: Found['tool'],
  where: string,
  env: unknown,
  context: DiscoveryContext,
): readonly Found[] {
  const address = asText(at(env, 'ANTHROPIC_BASE_URL'))
  if (address !== null && context.isOwn(address)) return []
  const token = credentialIn(asText(at(env, 'ANTHROPIC_AUTH_TOKEN')), context)
  const credential = token ?? credentialIn(asText(at(env, 'ANTHROPIC_API_KEY')), context)
  const bearer = token !== null
  const vendor = address === null ? vendorOf('anthropic') : vendorAt(address, 'anthropic', bearer)
  if (!credential || !vendor) return []
  const models = ['ANTHROPIC_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL'].flatMap((name) => asText(at(env, name)) ?? [])
  return [
    {
      tool,
      where,
      vendor: bearer ? { ...vendor, header: 'bearer' } : vendor,
      // Claude's own short names stand for models that only its vendor knows.
      models: [...new Set(models.filter((model) => !/^(?:opus|sonnet|haiku|default)/.test(model)))],
      credential,
    },
  ]
}
