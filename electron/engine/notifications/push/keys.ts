import { z } from 'zod'
import { parseJson } from '../../../../shared/parse-json.ts'
import { serial } from '../../base/work.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { Secrets } from '../../config/secrets-file.ts'
import { newVapidKeys, type VapidKeys } from './encrypt.ts'

/** what the home's own keys of web push are kept as; nothing in the config names it */
const pushKeysName = 'onward-push'

const shape = z.object({ publicKey: z.string(), privateKey: z.string() })

/** Nothing is swept that it names. */
export const withPushKeys = (naming: ReturnType<ConfigHandle['naming']>): typeof naming =>
  naming && ((secret) => (secret === pushKeysName ? 'config' : naming(secret)))

/** Kept like any other secret, made when a device first asks. */
export function openPushKeys(secrets: Pick<Secrets, 'get' | 'set'>): () => Promise<VapidKeys> {
  const inTurn = serial()
  let keys: VapidKeys | null = null
  return () =>
    inTurn(async () => {
      if (keys) return keys
      const found = shape.safeParse(parseJson((await secrets.get(pushKeysName)) ?? '')).data
      const made = found ?? newVapidKeys()
      if (!found) await secrets.set(pushKeysName, JSON.stringify(made))
      keys = made
      return made
    })
}
