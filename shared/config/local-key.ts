import { z } from 'zod'
import { says } from './describe-setting.ts'

/** The key a program has to send to be served: a text, or the hash of one that was shown once. */
export const localKey = says(
  z.union([
    z.string().min(1),
    z
      .object({
        alias: says(z.string().trim().min(1).max(64), 'Who it was made for.'),
        sha256: says(z.string().regex(/^[0-9a-f]{64}$/), 'Of the key, in hexadecimal.'),
        ends: says(z.string().max(8), 'Its last characters, to tell it from others.'),
      })
      .strict(),
  ]),
  'A key, or the hash of one that was made in the settings.',
)

export type LocalKey = z.infer<typeof localKey>
