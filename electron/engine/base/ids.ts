/** Injected randomness: the only source of ids, keys and jitter. */
export interface Random {
  uuid(): string
  /** URL-safe text of `bytes` random bytes */
  token(bytes: number): string
  /** 0 <= x < 1 */
  fraction(): number
}
