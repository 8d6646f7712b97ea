import { stat, readFile } from 'node:fs/promises'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'

/** A JWT with its seed, as `nsc` writes it, or the seed of an nkey alone. */
export type Credentials = { kind: 'creds' | 'seed'; bytes: Uint8Array }

/**
 * Reads the file with which an engine logs in at the hub. Its content goes nowhere but there.
 * @throws OnwardError `fleet-creds`
 */
export async function readCredentials(path: string, platform: NodeJS.Platform): Promise<Credentials> {
  const bad = (why: string, cause?: unknown): OnwardError =>
    new OnwardError('fleet-creds', `The credentials ${path} can’t be used: ${why}.`, {
      status: 400,
      cause,
      details: { path, why },
    })
  const found = await stat(path).catch((error: unknown) => {
    throw bad(systemCodeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error), error)
  })
  if (!found.isFile()) throw bad('it is no file')
  // Windows has no such bits; a file below a person's profile is theirs alone there
  if (platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw bad(`others can read it; close it with \`chmod 600 ${path}\``)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw bad(messageOf(error), error)
  })
  if (/BEGIN NATS USER JWT/.test(text)) return { kind: 'creds', bytes: Buffer.from(text) }
  const seed = text.trim()
  if (/^SU[A-Z2-7]{56}$/.test(seed)) return { kind: 'seed', bytes: Buffer.from(seed) }
  throw bad('it holds neither a user’s JWT with its seed nor the seed of a user’s nkey')
}
