import { z } from 'zod'

/** What a program has to send so that it is served: a text, or the hash of one that was shown once. */
export const localKey = z
  .union([
    z.string().min(1),
    z
      .object({
        alias: z.string().trim().min(1).max(64).describe('Who it was made for.'),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .describe('Of the key, in hexadecimal. The key itself is kept nowhere.'),
        ends: z.string().max(8).describe('Its last characters, to tell it from others.'),
      })
      .strict(),
  ])
  .describe('A key, or the hash of one that was made in the settings.')

export type LocalKey = z.infer<typeof localKey>
