import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ids.ts'

/** The operating system's randomness. */
export const systemRandom = (): Random => ({
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  // 48 bits: exact in a double, and below 1
  fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
})
