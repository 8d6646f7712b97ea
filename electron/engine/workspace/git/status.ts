import type { Found } from '../types.ts'
import { counted, cutLine, linesThatFit, inspected, notInspected } from '../found.ts'
import { withGit, type GitDeps } from './with-git.ts'

/** Names only, so those of secrets are among them. */
export async function gitStatus(deps: GitDeps, signal: AbortSignal): Promise<Found> {
  const what = 'git status'
  const result = await withGit(deps, signal, (git) =>
    git.run([
      'status',
      '--short',
      '--branch',
      '--untracked-files=normal',
      '--ignore-submodules=all',
      '--no-renames',
      '--',
      '.',
    ]),
  )
  if (!result.ok) return notInspected(what, result)
  const [branch = '', ...changes] = result.out.trimEnd().split('\n').map(cutLine)
  const shown = linesThatFit(changes)
  const say = changes.length === 0 ? 'no changes' : counted(changes.length, 'change')
  return inspected(
    what,
    [
      branch,
      ...(changes.length === 0 ? ['Nothing differs from the last commit.'] : shown),
      ...(shown.length < changes.length ? [`… ${changes.length - shown.length} more`] : []),
    ].join('\n'),
    say,
  )
}
