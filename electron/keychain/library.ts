import { messageOf } from '../engine/base/errors.ts'
import { keychainService, type KeychainAnswer, type KeychainCall } from './protocol.ts'

/** The part of @napi-rs/keyring that is used. */
export interface KeyringLibrary {
  AsyncEntry: new (service: string, account: string, options: KeyringOptions) => KeyringEntry
}
export interface KeyringEntry {
  getPassword(): Promise<string | null>
  setPassword(value: string): Promise<void>
  deleteCredential(): Promise<boolean>
}
interface KeyringOptions {
  linux: { store: 'secret-service' }
}

/** Else the library falls back to the kernel's keyring, which forgets all when the machine is restarted. */
const options: KeyringOptions = { linux: { store: 'secret-service' } }

/** The library is loaded with the first call: its native part may be missing on this system. */
export function askLibrary(load: () => Promise<KeyringLibrary>): (call: KeychainCall) => Promise<KeychainAnswer> {
  return async (call) => {
    let library: KeyringLibrary
    try {
      library = await load()
    } catch (error) {
      return { ok: false, trouble: 'not-built', said: firstLine(messageOf(error)) }
    }
    try {
      const entry = new library.AsyncEntry(keychainService, call.account, options)
      if (call.call === 'get') return { ok: true, value: await entry.getPassword() }
      if (call.call === 'set') await entry.setPassword(call.value)
      else await entry.deleteCredential()
      return { ok: true, value: null }
    } catch (error) {
      const said = firstLine(messageOf(error))
      return { ok: false, trouble: kindOf(said), said }
    }
  }
}

/** The library's errors have no codes of their own. */
function kindOf(said: string): 'locked' | 'silent' | 'unreachable' | 'refused' {
  if (/prompt was dismissed|is locked|user interaction is not allowed/i.test(said)) return 'locked'
  if (/did not receive a reply|timed? ?out/i.test(said)) return 'silent'
  if (/dbus|d-bus|no result found|platform failure|no storage access|not available/i.test(said)) return 'unreachable'
  return 'refused'
}

/** Without the guesses that D-Bus adds, and without a full stop: it becomes a part of a sentence. */
const firstLine = (text: string): string => /^.*?(?=\.?$|\. |\n)/m.exec(text)?.[0] ?? text
