import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { shutAt, type Confines, holdsSecrets, locate } from '../confine.ts'
import { counted, cutLine, linesThatFit, inspected, mostChars, notInspected } from '../found.ts'
import { readToShow } from '../open-inside.ts'
import { shownPath, type Refused, relativePath } from '../relative-path.ts'
import { secretIn, secretLines } from '../secret-content.ts'
import { secretByName } from '../secret-files.ts'
import type { Found } from '../types.ts'
import { withGit, type Git, type GitDeps, type GitOutput } from './with-git.ts'

interface Changed {
  path: string
  added: number | null
  removed: number | null
}

export const diffOptions = [
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=all',
  '--relative',
]
/** Patches that are asked for: more is not shown in one answer anyway. */
const mostPatches = 100
const mostPatchLines = 2_000

/** The working tree and the index against HEAD: the files with their numbers, then patches as far as they fit. */
export async function gitDiff(deps: GitDeps, input: { path?: string }, signal: AbortSignal): Promise<Found> {
  const asked = await askedPath(deps.confines, input.path)
  const what = input.path === undefined ? 'HEAD' : `HEAD ${shownPath(asked.ok ? asked.path : input.path)}`
  if (!asked.ok) return notInspected(what, asked)
  const result = await withGit(deps, signal, async (git) => {
    const numbers = await git.run([
      'diff',
      '--numstat',
      '-z',
      ...diffOptions,
      git.base,
      '--',
      asked.path === '' ? '.' : asked.path,
    ])
    if (!numbers.ok) return numbers
    const changed = nulRecords(numbers).flatMap(changedOf)
    const open = await openByName(deps.confines, changed)
    const wanted = toShow(open).map(({ path }) => path)
    const secret = await hiddenByContent(deps.confines, git, wanted)
    if (!secret.ok) return secret
    const patches = await patchesOf(
      git,
      wanted.filter((path) => !secret.hidden.has(path)),
    )
    if (!patches.ok) return patches
    const keys = new Set([...secret.hidden, ...patches.sections.filter(holdsKey).map(({ path }) => path)])
    return {
      ok: true as const,
      changed,
      open: open.filter(({ path }) => !keys.has(path)),
      patches: patches.sections.filter(({ path }) => !keys.has(path)),
    }
  })
  if (!result.ok) return notInspected(what, result)
  const { changed, open, patches } = result
  if (changed.length === 0)
    return !asked.there
      ? notInspected(what, asked.absent)
      : inspected(
          what,
          'No file that git tracks differs from the last commit. New files are named by git_status.',
          'no differences',
        )
  return inspected(what, textOf(open, changed.length - open.length, patches), sayOf(changed))
}

/** `added\tremoved\tpath`, with `-` for both where the file is binary. */
function changedOf(record: string): Changed[] {
  const [, added, removed, path] = /^(-|\d+)\t(-|\d+)\t(.+)$/s.exec(record) ?? []
  const number = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text))
  return path === undefined ? [] : [{ path, added: number(added), removed: number(removed) }]
}

function toShow(open: readonly Changed[]): readonly Changed[] {
  let lines = 0
  return open
    .slice(0, mostPatches)
    .filter(({ added, removed }, i) => (lines += (added ?? 0) + (removed ?? 0)) <= mostPatchLines || i === 0)
}

async function patchesOf(
  git: Git,
  wanted: readonly string[],
): Promise<{ ok: true; sections: readonly DiffSection[] } | Refused> {
  if (wanted.length === 0) return { ok: true, sections: [] }
  const patch = await git.run([
    'diff',
    '--patch',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    ...diffOptions,
    git.base,
    '--',
    ...wanted,
  ])
  if (!patch.ok) return patch
  const names = new Set(wanted)
  // A name asked for may be a folder by now, and bring other files with it.
  const sections = diffSections(patch.out, patch.cut)
  return { ok: true, sections: sections.filter(({ path }) => names.has(path)) }
}

const holdsKey = ({ lines }: DiffSection): boolean =>
  secretIn(Buffer.from(lines.map((line) => line.slice(1)).join('\n'))) !== null

function textOf(open: readonly Changed[], hidden: number, patches: readonly DiffSection[]): string {
  const names = open.map(
    ({ path, added, removed }) => `${added === null ? 'binary' : `+${added} −${removed ?? 0}`}\t${shownPath(path)}`,
  )
  const head = linesThatFit(names, mostChars / 2)
  const withPatch = new Set(patches.map(({ path }) => path))
  const missing = open.filter(({ path }) => !withPatch.has(path)).length
  const notes = [
    ...(head.length < names.length ? [`… ${names.length - head.length} more files`] : []),
    ...(hidden > 0 ? [`(${counted(hidden, 'file')} left out: holding secrets)`] : []),
    ...(missing > 0 ? [`(${counted(missing, 'file')} without a patch here: ask for one by its path)`] : []),
    'New files that git does not track are not part of this; git_status names them.',
    '',
  ]
  const body = patches.flatMap(({ lines }) => lines).map(cutLine)
  const shown = linesThatFit(body, [...head, ...notes].join('\n').length + 200)
  return [
    ...head,
    ...notes,
    ...shown,
    ...(shown.length < body.length ? ['… the rest does not fit: ask for a file by its path, or read it.'] : []),
  ].join('\n')
}

function sayOf(changed: readonly Changed[]): string {
  const sum = (of: (one: Changed) => number | null) => changed.reduce((all, one) => all + (of(one) ?? 0), 0)
  return `${counted(changed.length, 'file')}, +${sum((one) => one.added)} −${sum((one) => one.removed)}`
}

/** The part of a diff about one file. */
interface DiffSection {
  path: string
  lines: readonly string[]
}

const header = 'diff --git '

/**
 * A diff without renames, file by file. Every line of content begins with a blank, `+`, `-` or `\`, so a header can't
 * be forged; `cut`: the beginning is missing, and lines before the first header are dropped. A section whose file name
 * can't be read is left out.
 */
function diffSections(diff: string, cut: boolean): readonly DiffSection[] {
  const sections: { path: string | null; lines: string[] }[] = []
  // Where the beginning is missing the first line may be the end of one.
  for (const line of cut ? diff.split('\n').slice(1) : diff.split('\n')) {
    if (line.startsWith(header)) sections.push({ path: pathOf(line.slice(header.length)), lines: [line] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.flatMap(({ path, lines }) => (path === null ? [] : [{ path, lines }]))
}

/** `a/X b/X`, or both as C strings where X has a quote, a backslash or a control character. */
function pathOf(names: string): string | null {
  if (names.startsWith('"')) {
    const first = /^"a\/((?:[^"\\]|\\.)*)" "b\/\1"$/.exec(names)?.[1]
    return first === undefined ? null : unquoted(first)
  }
  const path = names.slice(2, 2 + (names.length - 5) / 2)
  return names === `a/${path} b/${path}` ? path : null
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

function unquoted(text: string): string {
  const bytes: Buffer[] = []
  for (const [whole, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Buffer.from([parseInt(octal, 8)]))
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]))
    else bytes.push(Buffer.from(whole, 'utf8'))
  }
  return Buffer.concat(bytes).toString('utf8')
}

/** Looked through of a file, bytes: as many as are read of one. */
const mostBytes = 8 * 1024 * 1024

/** Those that are not hidden by where they stand or what they are called. */
async function openByName<T extends { path: string }>(
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
async function hiddenByContent(
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

/** Records that end in NUL. Where the beginning is missing, what its first record was is not known. */
export function nulRecords({ out, cut }: GitOutput): readonly string[] {
  const records = out.split('\0')
  return (cut ? records.slice(1) : records).filter((record) => record !== '')
}

/**
 * A path that git is asked about. It may be gone from the disk; then `absent` is the answer if git does not know it
 * either.
 */
type AskedPath =
  | { ok: true; path: string; there: true }
  | { ok: true; path: string; there: false; absent: Refused }
  | Refused

export async function askedPath(confines: Confines, asked: string | undefined): Promise<AskedPath> {
  const wanted = relativePath(asked ?? '')
  if (!wanted.ok) return wanted
  const secret = secretByName(wanted.path)
  if (secret !== null) return holdsSecrets(wanted.path, secret)
  const place = await locate(confines, wanted.path)
  if (!place.ok && place.hidden) return place
  return place.ok
    ? { ok: true, path: wanted.path, there: true }
    : { ok: true, path: wanted.path, there: false, absent: place }
}
