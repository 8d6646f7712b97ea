import { promises as fs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, dirname } from 'node:path'
import type { RunProgram } from '../types.ts'
import { refused, type Refused } from '../relative-path.ts'
import { shutAt, type Confines } from '../confine.ts'
import { findRepository, type Repository } from './find-repository.ts'
import { gitEnv, gitOptions, noOuterConfig } from './git-env.ts'
import { inspect, type Inspected } from './inspect.ts'
import { objectFolders, type ObjectFolder } from './object-folders.ts'
import { readSmall } from './read-small.ts'
import { whatGitSays } from './what-git-says.ts'

export interface GitDeps {
  confines: Confines
  runProgram: RunProgram
  /** where short-lived git directories are made; the system's folder for such things where not given */
  scratch?: string
  /** once git took too long here it is not asked again: whatever holds it up is still there */
  patience: { over: boolean }
}

/** `cut`: there was more, and only its end was kept. */
export interface GitOutput {
  ok: true
  out: string
  cut: boolean
}

export interface Git {
  /** what the working tree is compared with: HEAD, or nothing where there is no commit yet */
  base: string
  /** a tree without files */
  emptyBase: string
  hasCommits: boolean
  /** the folder is the whole work tree */
  isTop: boolean
  /** Paths in and out are relative to the folder. `fine`: the exit codes that are no failure; default 0 */
  run(args: readonly string[], fine?: readonly number[]): Promise<GitOutput | Refused>
}

const timeoutMs = 20_000
const mostOutput = 8 * 1024 * 1024
/** bytes: a cut falls into one */
const longestCharacter = 4
/** Git knows these two without having them. */
const emptyTree = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** Looks at the folder's repository with git, in a git directory that lasts as long as `use`. */
export async function withGit<T>(
  { confines, runProgram, scratch = tmpdir(), patience }: GitDeps,
  signal: AbortSignal,
  use: (git: Git) => Promise<T>,
): Promise<T | Refused> {
  if (patience.over) return noGit('it took too long before, and is not asked again.')
  const real = await fs.realpath(confines.folder)
  const shut = shutAt(confines, '', real)
  if (shut !== null) return shut
  const repository = await findRepository(real)
  if (repository === null) return refused('The session’s folder is in no git repository.', 'no repository')
  if ('problem' in repository) return refused(repository.problem, 'another’s repository')
  const runPatiently: RunProgram = async (start, stop) => {
    const end = await runProgram(start, stop)
    if (end.kind === 'timed-out') patience.over = true
    return end
  }
  // Git is started in here: on Windows a program is looked for in the folder it starts in first.
  const own = await fs.mkdtemp(join(scratch, 'onward-git-'))
  try {
    const inspected = await inspect(runPatiently, repository, own, signal)
    if ('problem' in inspected) return noGit(inspected.problem)
    // After HEAD, so that what it names is among them.
    const objects = await objectFolders(repository)
    if ('problem' in objects) return refused(objects.problem, 'another’s repository')
    const places = await fillOwnGitDir(own, repository, objects, inspected)
    const env = { ...gitEnv, ...noOuterConfig, ...places, GIT_WORK_TREE: repository.top }
    const emptyBase = emptyTree[inspected.settings.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1']
    return await use({
      base: inspected.head ?? emptyBase,
      emptyBase,
      hasCommits: inspected.head !== null,
      isTop: relative(repository.top, real) === '',
      async run(args, fine = [0]) {
        const end = await runPatiently(
          { argv: ['git', ...gitOptions, '-C', real, ...args], cwd: own, timeoutMs, outputChars: mostOutput, env },
          signal,
        )
        if (end.kind === 'exited' && end.exitCode !== null && fine.includes(end.exitCode))
          return { ok: true, out: end.stdout, cut: Buffer.byteLength(end.stdout) >= mostOutput - longestCharacter }
        return noGit(
          end.problem ??
            (end.kind === 'timed-out'
              ? `git took longer than ${timeoutMs / 1_000} seconds.`
              : end.kind === 'stopped'
                ? 'It was stopped.'
                : whatGitSays(end)),
        )
      },
    })
  } finally {
    await fs.rm(own, { recursive: true, force: true })
  }
}

const noGit = (why: string): Refused => refused(`Git can’t be asked: ${why}`, 'git failed')

const largest = { index: 512 * 1024 * 1024, list: 4 * 1024 * 1024 } as const

/**
 * Makes a git directory of Onward's own, which shares the repository's objects and has copies of its index and HEAD.
 * A repository's config may name programs git runs while it only looks (`core.fsmonitor`, `filter.*.clean`,
 * `diff.*.textconv`, `diff.external`, promisor remotes, …; the agent can write it at any time), and overriding each by
 * name would be a race with it: so git is not shown that config at all. And what git likes to write while it looks
 * (a refreshed index) is not written to the repository. The same goes for its list of alternates.
 */
async function fillOwnGitDir(
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
