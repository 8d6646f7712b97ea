import { randomBytes, randomUUID } from 'node:crypto'

/** Injected randomness: the only source of ids, keys and jitter. */
export interface Random {
  uuid(): string
  /** URL-safe text of `bytes` random bytes */
  token(bytes: number): string
  /** 0 <= x < 1 */
  fraction(): number
}

/** The operating system's randomness. */
export const systemRandom = (): Random => ({
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  // 48 bits: exact in a double, and below 1
  fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
})
