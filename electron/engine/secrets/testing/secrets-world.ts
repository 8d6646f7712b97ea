import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { secretsFile } from '../../config/secrets-file.ts'
import type { ConfigHandle } from '../../config/types.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { createKeptSecrets, type KeptSecrets } from '../kept-secrets.ts'
import type { Keychain } from '../keychain.ts'
import { memoryKeychain } from './memory-keychain.ts'

export class Killed extends Error {}

/** A home and a keychain that outlive the process which is killed at any step it does to either. */
export function secretsWorld() {
  const disk = memoryFiles()
  const keychain = memoryKeychain()
  const clock = virtualClock()
  let tokens = 0
  let naming: ConfigHandle['naming'] = () => null

  /** A process. `killAt`: before its step of this number (0 is the first), or right after it; null: it lives. */
  function start(killAt: { step: number; after: boolean } | null = null): KeptSecrets & { steps(): number } {
    let steps = 0
    let dead = false
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      const here = steps++ === killAt?.step
      if (dead || (here && !killAt?.after)) {
        dead = true
        throw new Killed()
      }
      const value = await work()
      if (here) {
        dead = true
        throw new Killed()
      }
      return value
    }
    const files = {
      read: (path: string) => step(() => disk.read(path)),
      writeAtomic: (path: string, data: string) => step(() => disk.writeAtomic(path, data)),
      remove: (path: string) => step(() => disk.remove(path)),
    }
    const own: Keychain = {
      ...keychain,
      get: (account, within) => step(() => keychain.get(account, within)),
      set: (account, value, within) => step(() => keychain.set(account, value, within)),
      remove: (account, within) => step(() => keychain.remove(account, within)),
    }
    return {
      ...createKeptSecrets({
        home: '/home',
        files,
        file: secretsFile('/home', {
          ...files,
          access: async () => null,
          close: async () => undefined,
        }),
        keychain: own,
        random: { token: () => `token-of-${String(tokens++).padStart(12, '0')}` },
        naming: () => naming(),
        clock,
        log: silentLog,
      }),
      steps: () => steps,
    }
  }
  return {
    disk,
    keychain,
    clock,
    start,
    /** where the config names each secret; null: it can't be read */
    names: (by: Readonly<Record<string, 'config' | 'undo'>> | null) => {
      naming = () => by && ((secret) => by[secret] ?? 'nothing')
    },
    /** all that the home's files hold */
    bytes: () => [...disk.content.values()].join('\n'),
    inFile: () => JSON.parse(disk.content.get('/home/secrets.json') ?? '{}') as Record<string, string>,
    /** accounts without the home's part */
    inKeychain: () =>
      Object.fromEntries(
        [...keychain.content].map(([account, value]) => [account.split('/').slice(1).join('/'), value]),
      ),
  }
}
