import { withGit, type GitDeps } from './with-git.ts'
import { nulRecords } from './records.ts'

/** Files git tracks or would add, relative to the folder; null where git has no say. */
export async function gitFiles(deps: GitDeps, signal: AbortSignal): Promise<readonly string[] | null> {
  const result = await withGit(deps, signal, (git) =>
    git.run(['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '.']),
  )
  // A list that was cut off would hide files: then the disk is listed instead.
  return result.ok && !result.cut ? nulRecords(result) : null
}
