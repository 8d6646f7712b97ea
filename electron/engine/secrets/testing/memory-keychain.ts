import type { KeychainTrouble } from '../../../../shared/secrets/secrets.ts'
import { keychainError, type Keychain } from '../keychain.ts'

export interface MemoryKeychain extends Keychain {
  readonly content: Map<string, string>
  /** null: it works */
  trouble: KeychainTrouble | null
  /** every call, by its name and account */
  readonly calls: string[]
  /** as a person unlocks it after a call was given up */
  back(): void
}

export function memoryKeychain(): MemoryKeychain {
  const content = new Map<string, string>()
  const calls: string[] = []
  const listeners = new Set<() => void>()
  const ask = <T>(call: string, work: () => T): Promise<T> => {
    calls.push(call)
    return keychain.trouble === null
      ? Promise.resolve().then(work)
      : Promise.reject(keychainError(keychain.trouble, 'said the system'))
  }
  const keychain: MemoryKeychain = {
    content,
    calls,
    trouble: null,
    back: () => listeners.forEach((listener) => listener()),
    get: (account) => ask(`get ${account}`, () => content.get(account) ?? null),
    set: (account, value) => ask(`set ${account}`, () => void content.set(account, value)),
    remove: (account) => ask(`remove ${account}`, () => void content.delete(account)),
    onBack(listener) {
      listeners.add(listener)
      return { dispose: () => void listeners.delete(listener) }
    },
    dispose() {},
  }
  return keychain
}
