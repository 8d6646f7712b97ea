import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asList, asText, at, envIn, objectIn } from '../read-loosely.ts'
import type { Found, DiscoveryContext, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** Qwen Code: its settings, the `.env` beside them, and its sign-in. */
export const fromQwen: Source = async (context) => {
  const folder = join(context.home, '.qwen')
  const file = join(folder, 'settings.json')
  const settings = objectIn(await context.read(file))
  const model = asText(at(settings, 'model', 'name'))
  const auth = at(settings, 'security', 'auth')
  const own = openAi(file, context, {
    key: asText(at(auth, 'apiKey')),
    address: asText(at(auth, 'baseUrl')),
    models: model === null ? [] : [model],
  })
  // Its settings may hold the variables that its providers name.
  const inSettings = { ...context.env, ...textsOf(at(settings, 'env')) }
  const listed = asList(at(settings, 'modelProviders', 'openai')).flatMap((entry) => {
    const name = asText(at(entry, 'envKey'))
    const id = asText(at(entry, 'id'))
    const value = name === null ? null : (inSettings[name]?.trim() ?? null)
    const inEnvironment = name !== null && context.env[name]?.trim() === value
    return openAi(file, context, {
      key: inEnvironment ? `$${name}` : value,
      address: asText(at(entry, 'baseUrl')),
      models: id === null ? [] : [id],
    })
  })
  const dotEnv = join(folder, '.env')
  const env = envIn(await context.read(dotEnv))
  const fromDotEnv = openAi(dotEnv, context, {
    key: env.OPENAI_API_KEY ?? null,
    address: env.OPENAI_BASE_URL ?? null,
    models: env.OPENAI_MODEL === undefined ? [] : [env.OPENAI_MODEL],
  })
  const signIn = join(folder, 'oauth_creds.json')
  const signedIn = asText(objectIn(await context.read(signIn)).access_token) !== null
  return [
    ...own,
    ...listed,
    ...fromDotEnv,
    ...(signedIn
      ? [
          {
            tool: 'qwen' as const,
            where: signIn,
            vendor: null,
            name: 'Qwen',
            models: [],
            credential: { kind: 'none' as const, why: 'own-login' as const },
          },
        ]
      : []),
  ]
}

function openAi(
  where: string,
  context: DiscoveryContext,
  { key, address, models }: { key: string | null; address: string | null; models: readonly string[] },
): readonly Found[] {
  if (address !== null && context.isOwn(address)) return []
  const credential = credentialIn(key, context)
  const vendor = address === null ? vendorOf('openai') : vendorAt(address, 'openai-chat')
  return credential && vendor ? [{ tool: 'qwen', where, vendor, models, credential }] : []
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
