/**
 * Between the engine and the process that asks the system's keychain: one line of JSON each way, one call at a time.
 */
import type { KeychainTrouble } from '../../shared/secrets/secrets.ts'

export type KeychainCall =
  | { call: 'get'; account: string }
  | { call: 'set'; account: string; value: string }
  | { call: 'remove'; account: string }

export type KeychainAnswer =
  | { ok: true; value: string | null }
  | { ok: false; trouble: Exclude<KeychainTrouble, 'off'>; said: string }

/** All of Onward stands under this name in the keychain. */
export const keychainService = 'dev.onward'
