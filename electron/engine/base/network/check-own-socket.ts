import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OnwardError } from '../errors.ts'

export const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\')

/**
 * Checks the socket's folder before anything is sent: it has to be a real one that belongs to the caller or the home's
 * owner and is closed to everyone else.
 * @throws OnwardError `socket-not-ours`, or the system error where there is no such folder
 */
export async function checkOwnSocket(path: string, home: string): Promise<void> {
  // pipes have no folder; there the exchange of proofs alone tells the engine from a stranger
  if (isPipe(path)) return
  const folder = dirname(path)
  const [found, owner] = await Promise.all([lstat(folder), stat(home)])
  const ours = found.uid === owner.uid || found.uid === process.getuid?.()
  if (found.isDirectory() && ours && (found.mode & 0o077) === 0) return
  throw new OnwardError(
    'socket-not-ours',
    `The engine’s socket is said to be in ${folder}, which is not a folder of its owner alone. Nothing was sent there.`,
  )
}
