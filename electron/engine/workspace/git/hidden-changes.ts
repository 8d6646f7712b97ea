import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { shutAt, type Confines } from '../confine.ts'
import { readToShow } from '../open-inside.ts'
import type { Refused } from '../relative-path.ts'
import { secretLines } from '../secret-content.ts'
import { secretByName } from '../secret-files.ts'
import { nulRecords } from './records.ts'
import type { Git } from './with-git.ts'

/** Looked through of a file, bytes: as many as are read of one. */
const mostBytes = 8 * 1024 * 1024

/** Those that are not hidden by where they stand or what they are called. */
export async function openByName<T extends { path: string }>(
  confines: Confines,
  changed: readonly T[],
): Promise<readonly T[]> {
  const real = await fs.realpath(confines.folder)
  return changed.filter(({ path }) => secretByName(path) === null && shutAt(confines, path, join(real, path)) === null)
}

/**
 * Files hidden because of their content, now or in the last commit. A patch shows pieces: if it shows only the last
 * lines of a key, they can't be recognized as one.
 */
export async function hiddenByContent(
  confines: Confines,
  git: Git,
  paths: readonly string[],
): Promise<{ ok: true; hidden: ReadonlySet<string> } | Refused> {
  const hidden = new Set<string>()
  for (const path of paths) {
    const now = await readToShow(confines, path, mostBytes)
    if (!now.ok && now.hidden) hidden.add(path)
  }
  if (!git.hasCommits || paths.length === 0) return { ok: true, hidden }
  const grep = ['grep', '-l', '-z', '-a', '--no-color', '-E', '-e', secretLines, git.base, '--', ...paths]
  // 1: no line of any has it
  const before = await git.run(grep, [0, 1])
  if (!before.ok) return before
  for (const record of nulRecords(before)) hidden.add(record.slice(git.base.length + 1))
  return { ok: true, hidden }
}
