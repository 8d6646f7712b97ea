import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repository } from './find-repository.ts'
import type { Inspected } from './inspect.ts'
import { readSmall } from './read-small.ts'

const largest = 512 * 1024 * 1024

/**
 * Makes a git directory of Onward's own, which shares the repository's objects and has copies of its index and HEAD.
 * A repository's config may name programs git runs while it only looks (`core.fsmonitor`, `filter.*.clean`,
 * `diff.*.textconv`, `diff.external`, promisor remotes, …; the agent can write it at any time), and overriding each by
 * name would be a race with it: so git is not shown that config at all. And what git likes to write while it looks
 * (a refreshed index) is not written to the repository.
 */
export async function fillOwnGitDir(
  own: string,
  { gitDir, commonDir }: Repository,
  { head, branch, settings }: Inspected,
): Promise<Readonly<Record<string, string>>> {
  await fs.mkdir(join(own, 'refs'), { recursive: true })
  await fs.writeFile(join(own, 'config'), configOf(settings))
  await fs.writeFile(join(own, 'HEAD'), branch !== null ? `ref: ${branch}\n` : `${head ?? ''}\n`)
  if (branch !== null && head !== null) await fs.writeFile(join(own, 'packed-refs'), `${head} ${branch}\n`)
  const bring = async (from: string, name: string) => {
    const bytes = await readSmall(join(from, name), largest)
    if (bytes === null) return
    await fs.mkdir(dirname(join(own, name)), { recursive: true })
    await fs.writeFile(join(own, name), bytes)
  }
  await bring(commonDir, 'info/exclude')
  await bring(commonDir, 'shallow')
  for (const name of await fs.readdir(gitDir))
    if (/^(?:index|sharedindex\.[0-9a-f]+)$/.test(name)) await bring(gitDir, name)
  await keepIndexTime(join(gitDir, 'index'), join(own, 'index'))
  return {
    GIT_DIR: own,
    GIT_COMMON_DIR: own,
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_INDEX_FILE: join(own, 'index'),
  }
}

/**
 * Files as new as the index are compared by content (git's “racy” rule): with a newer index they would pass for
 * unchanged.
 */
async function keepIndexTime(from: string, to: string): Promise<void> {
  const copied = await fs.lstat(to).catch(() => null)
  if (copied === null) return
  const seconds = Math.floor((await fs.lstat(from)).mtimeMs / 1_000)
  await fs.utimes(to, seconds, seconds)
}

function configOf(settings: ReadonlyMap<string, string>): string {
  const format = settings.get('extensions.objectformat')
  const core = [...settings].flatMap(([key, value]) =>
    key.startsWith('core.') ? [`\t${key.slice('core.'.length)} = ${value}`] : [],
  )
  const extensions = format === undefined ? [] : ['[extensions]', `\tobjectformat = ${format}`]
  return [
    '[core]',
    `\trepositoryformatversion = ${format === undefined ? 0 : 1}`,
    '\tbare = false',
    ...core,
    ...extensions,
    '',
  ].join('\n')
}
