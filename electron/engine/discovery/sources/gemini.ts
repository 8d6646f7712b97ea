import { join } from 'node:path'
import { credentialIn } from '../credential.ts'
import { asText, envIn, objectIn } from '../read-loosely.ts'
import type { Found, Source } from '../types.ts'
import { vendorAt, vendorOf } from '../vendor.ts'

/** Gemini CLI: the key in its `.env`, and its sign-in with Google. */
export const fromGemini: Source = async (context) => {
  const folder = join(context.home, '.gemini')
  const file = join(folder, '.env')
  const env = envIn(await context.read(file))
  const found: Found[] = []
  const key = credentialIn(env.GEMINI_API_KEY ?? env.GOOGLE_API_KEY ?? null, context)
  const address = env.GOOGLE_GEMINI_BASE_URL
  const vendor =
    address === undefined ? vendorOf('gemini') : context.isOwn(address) ? null : vendorAt(address, 'gemini')
  if (key && vendor) found.push({ tool: 'gemini', where: file, vendor, models: [], credential: key })
  const signIn = join(folder, 'oauth_creds.json')
  if (asText(objectIn(await context.read(signIn)).refresh_token) !== null)
    found.push({
      tool: 'gemini',
      where: signIn,
      vendor: null,
      name: 'Google',
      models: [],
      credential: { kind: 'none', why: 'own-login' },
    })
  return found
}
