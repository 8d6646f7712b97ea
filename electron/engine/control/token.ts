/** The control token: one secret per Onward home, in a file only its owner can read. */
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'

export const controlTokenFile = (home: string): string => join(home, 'control-token')

const tokenBytes = 32
/** base64url of all its bytes: a token that was cut short would be easier to guess */
const shape = /^[A-Za-z0-9_-]{43}$/

/**
 * Returns the token of this home; the first caller makes it. A file that others can read is closed to them again.
 * @throws OnwardError `control-token` when the file can't be made, read or understood
 */
export async function ensureControlToken(home: string, random: Random): Promise<string> {
  const file = controlTokenFile(home)
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    const present = await readToken(file)
    if (present !== null) return present
    await createOnce(file, random.token(tokenBytes), random)
    const token = await readToken(file)
    if (token !== null) return token
  } catch (error) {
    if (OnwardError.isInstance(error)) throw error
    throw new OnwardError(
      'control-token',
      `The control token ${file} can’t be used: ${messageOf(error)}. Check who owns the folder.`,
      { cause: error },
    )
  }
  throw new OnwardError('control-token', `The control token ${file} went away while it was made. Start again.`)
}

/** Returns the token of a home for a caller that doesn't make one; null if no engine ever ran there. */
export async function readControlToken(home: string): Promise<string | null> {
  const file = controlTokenFile(home)
  try {
    return await readToken(file)
  } catch (error) {
    if (OnwardError.isInstance(error)) throw error
    throw new OnwardError('control-token', `The control token ${file} can’t be read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

async function readToken(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const token = text.trim()
  if (!shape.test(token))
    throw new OnwardError(
      'control-token',
      `The control token ${file} is damaged. Delete it; the next start makes a new one.`,
    )
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  return token
}

/** Creates the file whole or not at all. The lock on the home keeps a second engine from coming this far. */
async function createOnce(file: string, token: string, random: Random): Promise<void> {
  const aside = `${file}.${random.token(6)}`
  try {
    const handle = await open(aside, 'wx', 0o600)
    try {
      await handle.writeFile(`${token}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(aside, file)
  } finally {
    await rm(aside, { force: true })
  }
}
