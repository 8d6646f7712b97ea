import type { RunProgram } from '../types.ts'
import { gitEnv, gitOptions, noOuterConfig } from './git-env.ts'
import type { Repository } from './find-repository.ts'
import { whatGitSays } from './what-git-says.ts'

/** Facts about a repository that are needed before it is looked at in another git directory. */
export interface Inspected {
  /** null: no commit yet */
  head: string | null
  /** `refs/heads/…`; null: detached */
  branch: string | null
  /** settings that say how files are compared, and name no program */
  settings: ReadonlyMap<string, string>
}

/** git takes the same pattern: no `(?:` */
const inert =
  /^(core\.(autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode)|extensions\.objectformat)$/
const plainValue = /^(?:true|false|yes|no|on|off|0|1|input|lf|crlf|native|warn|sha1|sha256)$/i
const timeoutMs = 10_000

/**
 * The only calls that read the repository's own config. Neither reads its objects or its index, and none runs a program
 * it names (a test has a repository that tries).
 */
export async function inspect(
  runProgram: RunProgram,
  { top, gitDir, commonDir }: Repository,
  cwd: string,
  signal: AbortSignal,
): Promise<Inspected | { problem: string }> {
  const places = { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, GIT_WORK_TREE: top }
  const git = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    runProgram({ argv: ['git', ...gitOptions, ...args], cwd, timeoutMs, env: { ...gitEnv, ...places, ...env } }, signal)
  const [config, head, branch] = await Promise.all([
    // The person's own settings count here too: line endings are mostly set for the whole machine.
    git(['config', '-z', '--get-regexp', inert.source], {}),
    git(['rev-parse', '--quiet', '--verify', 'HEAD'], noOuterConfig),
    git(['symbolic-ref', '--quiet', 'HEAD'], noOuterConfig),
  ])
  for (const end of [config, head, branch]) {
    if (end.kind !== 'exited')
      return { problem: end.problem ?? (end.kind === 'stopped' ? 'It was stopped.' : 'git took too long.') }
    // 1: there is no such value
    if (end.exitCode !== 0 && end.exitCode !== 1) return { problem: whatGitSays(end) }
  }
  const sha = head.stdout.trim()
  const ref = branch.stdout.trim()
  return {
    head: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? sha : null,
    branch: /^refs\/heads\/[^\s~^:?*[\\\p{Cc}]+$/u.test(ref) ? ref : null,
    settings: settingsOf(config.stdout),
  }
}

/** `key\nvalue\0`, the last of a key counts. */
function settingsOf(output: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  for (const record of output.split('\0')) {
    const [key, value = 'true'] = record.split('\n')
    if (key !== undefined && inert.test(key) && plainValue.test(value)) settings.set(key, value)
  }
  return settings
}
