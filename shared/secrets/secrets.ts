/** Where the keys of providers and the addresses of notifications are kept. Never their values. */
export const secretPlaces = ['keychain', 'file'] as const
export type SecretPlace = (typeof secretPlaces)[number]

/** Why the system's keychain can't be used. */
export type KeychainTrouble =
  /** switched off, or this host has none */
  | 'off'
  /** the library has no part for this system */
  | 'not-built'
  /** it is locked, and was not unlocked */
  | 'locked'
  /** there is no secret service, or it can't be reached */
  | 'unreachable'
  /** it has not answered yet: perhaps it asks the person to unlock it */
  | 'silent'
  /** it refused, or does not give back what it was given */
  | 'refused'

export type KeychainState =
  /** nothing needed it in this run */
  { kind: 'untried' } | { kind: 'works' } | { kind: 'trouble'; trouble: KeychainTrouble; said: string }

export interface SecretsView {
  /** where a new one goes; null: the keychain where it works, which the first one finds out */
  keep: SecretPlace | null
  /** the file, whether it is there or not */
  path: string
  /** how many are where */
  count: Readonly<Record<SecretPlace, number>>
  keychain: KeychainState
  /** a move that is not through */
  moving: SecretPlace | null
  /** copies that do not count, and may still lie there: each is removed as soon as that can be done */
  strays: readonly { name: string; place: SecretPlace }[]
  /** nothing in the config names these: they go once no undo brings that back. Left out by engines before 0.2 */
  unnamed?: readonly string[]
  /** those that went in this run because nothing named them */
  swept?: readonly string[]
}

/** A move is not through, or copies that do not count are left. */
export const isUnfinished = ({ moving, strays }: SecretsView): boolean => moving !== null || strays.length > 0

/** Why keys can't be used, or new ones not be stored; null: nothing needs the keychain, or it works. */
export const keysInTrouble = ({ count, keep, keychain }: SecretsView): KeychainTrouble | null =>
  keychain.kind === 'trouble' && (count.keychain > 0 || keep === 'keychain') ? keychain.trouble : null
