import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repository } from './find-repository.ts'
import type { Inspected } from './inspect.ts'
import type { ObjectFolder } from './object-folders.ts'
import { readSmall } from './read-small.ts'

const largest = { index: 512 * 1024 * 1024, list: 4 * 1024 * 1024 } as const

/**
 * Makes a git directory of Onward's own, which shares the repository's objects and has copies of its index and HEAD.
 * A repository's config may name programs git runs while it only looks (`core.fsmonitor`, `filter.*.clean`,
 * `diff.*.textconv`, `diff.external`, promisor remotes, …; the agent can write it at any time), and overriding each by
 * name would be a race with it: so git is not shown that config at all. And what git likes to write while it looks
 * (a refreshed index) is not written to the repository. The same goes for its list of alternates.
 */
export async function fillOwnGitDir(
  own: string,
  { gitDir, commonDir }: Repository,
  objects: readonly ObjectFolder[],
  { head, branch, settings }: Inspected,
): Promise<Readonly<Record<string, string>>> {
  await fs.mkdir(join(own, 'refs'), { recursive: true })
  await fs.writeFile(join(own, 'config'), configOf(settings))
  await fs.writeFile(join(own, 'HEAD'), branch !== null ? `ref: ${branch}\n` : `${head ?? ''}\n`)
  if (branch !== null && head !== null) await fs.writeFile(join(own, 'packed-refs'), `${head} ${branch}\n`)
  const bring = async (from: string, name: string, most: number, mostNames = 1) => {
    const bytes = await readSmall(join(from, name), most, mostNames)
    if (bytes === null) return
    await fs.mkdir(dirname(join(own, name)), { recursive: true })
    await fs.writeFile(join(own, name), bytes)
  }
  await bring(commonDir, 'info/exclude', largest.list)
  await bring(commonDir, 'shallow', largest.list)
  for (const name of await fs.readdir(gitDir))
    if (/^(?:index|sharedindex\.[0-9a-f]+)$/.test(name))
      // A copied repository may share it with the one before, and git tells nothing of one it can't read.
      await bring(gitDir, name, largest.index, Infinity)
  await shareObjects(own, objects)
  await keepIndexTime(join(gitDir, 'index'), join(own, 'index'))
  return {
    GIT_DIR: own,
    GIT_COMMON_DIR: own,
    GIT_OBJECT_DIRECTORY: objectsIn(own, 0),
    GIT_INDEX_FILE: join(own, 'index'),
  }
}

const objectsIn = (own: string, at: number): string => join(own, at === 0 ? 'objects' : `objects-${at}`)

/** Folders of links to those that hold objects, with a list of alternates that is Onward's. */
async function shareObjects(own: string, folders: readonly ObjectFolder[]): Promise<void> {
  await fs.mkdir(join(objectsIn(own, 0), 'info'), { recursive: true })
  for (const [at, { path, holding }] of folders.entries()) {
    await fs.mkdir(objectsIn(own, at), { recursive: true })
    // A junction is what Windows lets anybody make; elsewhere the word means nothing.
    await Promise.all(holding.map((name) => fs.symlink(join(path, name), join(objectsIn(own, at), name), 'junction')))
  }
  const others = folders.slice(1).map((_folder, i) => `${objectsIn(own, i + 1)}\n`)
  if (others.length > 0) await fs.writeFile(join(objectsIn(own, 0), 'info', 'alternates'), others.join(''))
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
