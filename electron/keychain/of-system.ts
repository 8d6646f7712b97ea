import type { Clock } from '../engine/base/clock.ts'
import { noKeychain, type Keychain } from '../engine/secrets/keychain.ts'
import { createKeychain } from './client.ts'
import { startKeychainHelper } from './start-helper.ts'

/** The keychain of the current user, unless it was switched off. Nothing is asked before the first call. */
export const systemKeychain = (env: Readonly<Record<string, string | undefined>>, clock: Clock): Keychain =>
  env.ONWARD_KEYCHAIN === '0'
    ? noKeychain('off', 'ONWARD_KEYCHAIN=0')
    : createKeychain(() => startKeychainHelper(env), clock)
