/** Puts a new program in the place of the old one, whole or not at all. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OnwardError } from '../engine/base/errors.ts'

/**
 * Beside the old one first, looked at there, then by one rename: power may go at any moment. The old program goes on
 * running from what it has open. `sha512`: in base64, as it was announced
 *
 * @throws OnwardError `update-broken`, or what the disk says; the old one is untouched then
 */
export async function replaceFile(old: string, by: { file: string; sha512: string }): Promise<void> {
  const beside = join(dirname(old), `.${basename(old)}.new`)
  try {
    const { mode } = await stat(old)
    await copyFile(by.file, beside)
    if ((await sha512Of(beside)) !== by.sha512)
      throw new OnwardError('update-broken', 'The downloaded file is not what was announced.')
    await chmod(beside, (mode & 0o777) | 0o100)
    await flush(beside)
    await rename(beside, old)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
