import type { KeychainTrouble } from '../../../shared/secrets/secrets.ts'
import type { Disposable } from '../base/disposable.ts'
import { OnwardError } from '../base/errors.ts'

/**
 * The system's own store of secrets: Secret Service, Keychain, Credential Manager. Every call answers in bounded time.
 * All throw `keychain-unreachable`, with `details.trouble`; then nothing is known of what was to be done.
 */
export interface Keychain {
  /** null: there is none of that name */
  get(account: string, within?: number): Promise<string | null>
  /** `within`: milliseconds, where it can't wait until a person has unlocked it */
  set(account: string, value: string, within?: number): Promise<void>
  remove(account: string, within?: number): Promise<void>
  /** called when it answers after a call was given up */
  onBack(listener: () => void): Disposable
  dispose(): void
}

const clauses: Readonly<Record<KeychainTrouble, [is: string, mend: string]>> = {
  off: ['the keychain is not used by this engine', 'Start Onward without ONWARD_KEYCHAIN=0.'],
  'not-built': ['the keychain’s library does not load', 'Install Onward anew, or keep keys in the file.'],
  locked: ['the keychain is locked', 'Unlock it, and try again.'],
  unreachable: ['the keychain can’t be reached', 'Start Onward from your desktop’s session, or keep keys in the file.'],
  silent: ['the keychain does not answer', 'Perhaps it asks you to unlock it. Then try again.'],
  refused: ['the keychain refused', 'Look at it in your system’s own program for passwords.'],
}

/** @param said the system's own words about it */
export function keychainError(trouble: KeychainTrouble, said = ''): OnwardError {
  const [is, mend] = clauses[trouble]
  const why = said === '' ? is : `${is} (${said})`
  return new OnwardError('keychain-unreachable', `${why[0]?.toUpperCase()}${why.slice(1)}. ${mend}`, {
    status: 503,
    details: { trouble, said, why },
  })
}

/** null: it is about something else */
export function troubleIn(error: unknown): { trouble: KeychainTrouble; said: string } | null {
  if (!OnwardError.isInstance(error) || error.code !== 'keychain-unreachable') return null
  const { trouble, said } = error.details
  return { trouble: trouble as KeychainTrouble, said: typeof said === 'string' ? said : '' }
}

/** For a host that has none. */
export function noKeychain(trouble: 'off' | 'not-built', said = ''): Keychain {
  const refuse = () => Promise.reject(keychainError(trouble, said))
  return { get: refuse, set: refuse, remove: refuse, onBack: () => ({ dispose() {} }), dispose() {} }
}
