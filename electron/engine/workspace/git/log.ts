import type { Found } from '../types.ts'
import { counted, cutLine, linesThatFit, inspected, notInspected } from '../found.ts'
import { shownPath } from '../relative-path.ts'
import { askedPath } from './asked-path.ts'
import { withGit, type GitDeps } from './with-git.ts'

const usual = 20
const most = 100

/** Commits, the newest first: short hash, date, author, first line. */
export async function gitLog(
  deps: GitDeps,
  input: { path?: string; count?: number },
  signal: AbortSignal,
): Promise<Found> {
  const asked = await askedPath(deps.confines, input.path)
  const what = input.path === undefined ? 'git log' : `git log ${shownPath(asked.ok ? asked.path : input.path)}`
  if (!asked.ok) return notInspected(what, asked)
  const count = Math.min(most, Math.max(1, Math.floor(input.count ?? usual) || usual))
  const result = await withGit(deps, signal, (git) => {
    const where = asked.path !== '' ? ['--', asked.path] : git.isTop ? [] : ['--', '.']
    return git.hasCommits
      ? git.run([
          'log',
          `--max-count=${count}`,
          '--no-show-signature',
          '--no-mailmap',
          '--no-decorate',
          '--no-color',
          '--no-notes',
          '--date=iso-strict',
          '--format=%h %ad %an: %s',
          ...where,
        ])
      : Promise.resolve({ ok: true as const, out: '', cut: false })
  })
  if (!result.ok) return notInspected(what, result)
  const commits = result.out
    .split('\n')
    .filter((line) => line !== '')
    .map(cutLine)
  if (commits.length === 0)
    return !asked.there ? notInspected(what, asked.absent) : inspected(what, 'There is no commit yet.', 'no commits')
  return inspected(what, linesThatFit(commits).join('\n'), counted(commits.length, 'commit'))
}
