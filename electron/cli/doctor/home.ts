import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { OnwardError, systemCodeOf } from '../../engine/base/errors.ts'
import { controlTokenFile } from '../../engine/control/token.ts'
import { formatFile, readFormat } from '../../engine/store/home-format.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { bad, good, type Check } from './types.ts'

/** Keys, sessions and the control token lie there: the owner's alone. */
export const checkHome: Check = async ({ home }, cli) => {
  const info = await look(home)
  if (info === null) return [good('home', `${home} does not exist yet; the first start makes it.`)]
  if (info instanceof Error)
    return [
      bad(
        'home',
        `${home} can’t be looked at: ${whyFailed(info)}.`,
        'Check the owner and the permissions of the folders above it.',
      ),
    ]
  if (!info.isDirectory())
    return [bad('home', `${home} is not a folder.`, 'Move it away, or name another home with --home.')]
  const findings = []
  if (cli.platform !== 'win32') {
    const owner = process.getuid?.()
    if (owner !== undefined && info.uid !== owner)
      findings.push(bad('home', `${home} belongs to another user.`, `sudo chown -R "$USER" ${home}`))
    else if ((info.mode & 0o077) !== 0)
      findings.push(bad('home', `${home} is open to other users.`, `chmod 700 ${home}`))
    const token = await look(controlTokenFile(home))
    if (token && !(token instanceof Error) && (token.mode & 0o077) !== 0)
      findings.push(bad('home', 'The control token can be read by other users.', `chmod 600 ${controlTokenFile(home)}`))
  }
  const writable = await access(home, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    findings.push(
      bad(
        'home',
        `${home} can’t be written.`,
        'Check its owner and whether the disk is read-only: without it nothing can be kept.',
      ),
    )
  const full = await fullDisk(home)
  if (full !== null) findings.push(bad('home', full, 'Free some space there; Onward goes on by itself.'))
  const format = await formatFault(home)
  if (format !== null) findings.push(bad('home', format, 'If no newer Onward used this home, delete that file.'))
  return findings.length > 0 ? findings : [good('home', `${home} is yours alone and can be written.`)]
}

/** An engine writes less than this at a time, bytes. */
const leastFree = 256 * 1024

/** A sentence where nothing can be kept on the disk of a home. */
export async function fullDisk(home: string): Promise<string | null> {
  const disk = await statfs(home).catch(() => null)
  if (disk === null) return null
  // Some disks count no files.
  const full = disk.bavail * disk.bsize < leastFree || (disk.files > 0 && disk.ffree === 0)
  return full ? `The disk of ${home} is full: nothing new can be kept.` : null
}

async function formatFault(home: string): Promise<string | null> {
  try {
    readFormat(home, await readFile(formatFile(home)))
    return null
  } catch (error) {
    return OnwardError.isInstance(error) ? `${formatFile(home)} is damaged, so Onward does not start.` : null
  }
}

const look = (path: string) =>
  stat(path).catch((error: unknown) =>
    systemCodeOf(error) === 'ENOENT' ? null : error instanceof Error ? error : new Error(String(error)),
  )
