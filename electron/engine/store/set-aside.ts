import { posix } from 'node:path'
import type { Files } from './types.ts'

/** Moves an unreadable file out of the way, never over another one, and returns its new name. */
export async function setAside(
  files: Pick<Files, 'list' | 'rename'>,
  path: string,
  why: 'corrupt' | 'newer',
  now: number,
): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(':', '-')
  const taken = new Set(await files.list(posix.dirname(path)))
  const name = `${posix.basename(path)}.${why}-${time}`
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}-${n}`
  await files.rename(path, posix.join(posix.dirname(path), free))
  return free
}
