import { messageOf } from '../../engine/base/errors.ts'
import { secretsIndexFile } from '../../engine/secrets/index-file.ts'
import { keychainNames } from '../../engine/secrets/kept-index.ts'
import { troubleIn, type Keychain } from '../../engine/secrets/keychain.ts'
import { clauseOf } from '../../engine/secrets/unmoved.ts'
import { diskFiles } from '../../engine/store/disk-files.ts'

/** One of a home's in the system's keychain. */
export interface KeychainEntry {
  /** as the config calls it */
  name: string
  /** as the keychain calls it */
  account: string
}

export type KeychainEntries =
  | {
      kind: 'known'
      /** keys that count */
      keys: readonly string[]
      /** all that may lie there: those, and what could not be removed before */
      entries: readonly KeychainEntry[]
    }
  /** the file that names them is damaged */
  | { kind: 'unknown'; why: string }

export async function keychainEntriesOf(home: string): Promise<KeychainEntries> {
  try {
    const index = await secretsIndexFile(home, diskFiles()).read()
    const entries = [...(index?.names ?? [])]
      .filter(([, { in: place, stray }]) => place === 'keychain' || stray.includes('keychain'))
      .map(([name]) => ({ name, account: `${index?.home ?? ''}/${name}` }))
    return { kind: 'known', keys: keychainNames(index), entries }
  } catch (error) {
    return { kind: 'unknown', why: messageOf(error) }
  }
}

export interface StayingEntry extends KeychainEntry {
  why: string
}

/**
 * One that fails keeps none of the others from going; a keychain that does not work is asked once. @returns what stays
 */
export async function removeEntries(
  entries: readonly KeychainEntry[],
  keychain: Keychain,
): Promise<readonly StayingEntry[]> {
  const stay: StayingEntry[] = []
  let dead: string | null = null
  try {
    for (const entry of entries) {
      try {
        if (dead !== null) stay.push({ ...entry, why: dead })
        else await keychain.remove(entry.account)
      } catch (error) {
        const why = clauseOf(error)
        if (troubleIn(error)?.trouble !== 'refused') dead = why
        stay.push({ ...entry, why })
      }
    }
  } finally {
    keychain.dispose()
  }
  return stay
}
