import { holdsSecrets, locate, type Confines } from '../confine.ts'
import { relativePath, type Refused } from '../relative-path.ts'
import { secretByName } from '../secret-files.ts'

/**
 * A path that git is asked about. It may be gone from the disk; then `absent` is the answer if git does not know it
 * either.
 */
export type AskedPath =
  | { ok: true; path: string; there: true }
  | { ok: true; path: string; there: false; absent: Refused }
  | Refused

export async function askedPath(confines: Confines, asked: string | undefined): Promise<AskedPath> {
  const wanted = relativePath(asked ?? '')
  if (!wanted.ok) return wanted
  const secret = secretByName(wanted.path)
  if (secret !== null) return holdsSecrets(wanted.path, secret)
  const place = await locate(confines, wanted.path)
  if (!place.ok && place.hidden) return place
  return place.ok
    ? { ok: true, path: wanted.path, there: true }
    : { ok: true, path: wanted.path, there: false, absent: place }
}
