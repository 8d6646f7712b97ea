import type { KeychainState, SecretPlace } from '../../../shared/secrets/secrets.ts'
import type { FileSecrets, Secrets } from '../config/secrets-file.ts'
import { troubleIn, type Keychain } from './keychain.ts'

/** Both places, and how the keychain did when it was asked last. */
export interface SecretStores {
  at(place: SecretPlace, home: string): Secrets
  /** `within`: each call's milliseconds */
  keychain(home: string, within?: () => number): Secrets
  state(): KeychainState
  /** remembers how the whole of it went */
  asked<T>(work: () => Promise<T>): Promise<T>
}

/** @param onWorksAgain it answers, and did not when it was asked before */
export function secretStores(file: FileSecrets, keychain: Keychain, onWorksAgain: () => void): SecretStores {
  let state: KeychainState = { kind: 'untried' }
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await work()
      const again = state.kind === 'trouble'
      state = { kind: 'works' }
      if (again) onWorksAgain()
      return value
    } catch (error) {
      const found = troubleIn(error)
      if (found) state = { kind: 'trouble', ...found }
      throw error
    }
  }
  const inKeychain: SecretStores['keychain'] = (home, within) => ({
    get: (name) => asked(() => keychain.get(`${home}/${name}`, within?.())),
    set: (name, value) => asked(() => keychain.set(`${home}/${name}`, value, within?.())),
    remove: (name) => asked(() => keychain.remove(`${home}/${name}`, within?.())),
  })
  return {
    at: (place, home) => (place === 'file' ? file : inKeychain(home)),
    keychain: inKeychain,
    state: () => state,
    asked,
  }
}
