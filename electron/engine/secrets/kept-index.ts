import type { Random } from '../base/ids.ts'
import type { Files } from '../store/types.ts'
import { secretsIndexFile, type SecretsIndex, type Whereabouts } from './index-file.ts'

/** The index in memory as it is on the disk. */
export interface KeptIndex {
  /** null: the keychain was never used here */
  now(): Promise<SecretsIndex | null>
  change(alter: (now: SecretsIndex) => Partial<SecretsIndex>): Promise<SecretsIndex>
  /** where one secret is, with what else becomes true in the same write */
  put(name: string, where: Whereabouts, more?: Partial<SecretsIndex>): Promise<SecretsIndex>
  /** as if the keychain had never been used here */
  forget(): Promise<void>
}

const inFile: Whereabouts = { in: 'file', stray: [] }

export const whereIs = (now: SecretsIndex | null, name: string): Whereabouts => now?.names.get(name) ?? inFile

export function keptIndex(deps: {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic' | 'remove'>
  random: Pick<Random, 'token'>
}): KeptIndex {
  const disk = secretsIndexFile(deps.home, deps.files)
  let loaded: SecretsIndex | null | undefined

  const now = async () => (loaded !== undefined ? loaded : (loaded = await disk.read()))
  const change: KeptIndex['change'] = async (alter) => {
    const before = (await now()) ?? { home: deps.random.token(16), keep: null, moving: null, names: new Map() }
    const next = { ...before, ...alter(before) }
    await disk.write(next)
    loaded = next
    return next
  }
  return {
    now,
    change,
    put: (name, where, more = {}) =>
      change(({ names }) => {
        const next = new Map(names)
        const plain = where.stray.length === 0 && where.in !== 'keychain'
        if (plain) next.delete(name)
        else next.set(name, where)
        return { ...more, names: next }
      }),
    async forget() {
      await disk.remove()
      loaded = null
    },
  }
}

export const keychainNames = (of: SecretsIndex | null): string[] =>
  [...(of?.names ?? [])].flatMap(([name, where]) => (where.in === 'keychain' ? [name] : []))
