import type { ReportDiff } from '../../../shared/report.ts'
import { confinesOf } from './confine.ts'
import type { WorkspaceDeps } from './create-workspace.ts'
import { diffOptions } from './git/diff.ts'
import { withGit } from './git/with-git.ts'

/**
 * The folder's files against the last commit that was there at `since`, or against nothing if there was none: changes
 * committed since then and changes not committed yet. Files git does not track are not counted. null: unknown.
 */
export async function changedLines(
  { folder, closed = [], ...programs }: WorkspaceDeps,
  since: number,
  signal: AbortSignal,
): Promise<ReportDiff | null> {
  try {
    const git = { ...programs, confines: await confinesOf(folder, closed), patience: { over: false } }
    const result = await withGit(git, signal, async ({ base, hasCommits, emptyBase, run }) => {
      const before = hasCommits
        ? await run(['rev-list', '--max-count=1', `--before=${new Date(since).toISOString()}`, base])
        : null
      if (before?.ok === false) return before
      return run(['diff', '--shortstat', ...diffOptions, before?.out.trim() || emptyBase, '--', '.'])
    })
    return result.ok ? numbersOf(result.out) : null
  } catch {
    // Its folder is gone, say.
    return null
  }
}

/** ` 3 files changed, 12 insertions(+), 1 deletion(-)`; nothing where nothing changed */
function numbersOf(out: string): ReportDiff {
  const number = (what: RegExp) => Number(what.exec(out)?.[1] ?? 0)
  return {
    files: number(/(\d+) files? changed/),
    added: number(/(\d+) insertions?\(\+\)/),
    removed: number(/(\d+) deletions?\(-\)/),
  }
}
