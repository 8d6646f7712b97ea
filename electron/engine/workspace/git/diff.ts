import type { Found } from '../types.ts'
import { counted, cutLine, linesThatFit, inspected, mostChars, notInspected } from '../found.ts'
import { shownPath, type Refused } from '../relative-path.ts'
import { secretIn } from '../secret-content.ts'
import { askedPath } from './asked-path.ts'
import { diffSections, type DiffSection } from './diff-sections.ts'
import { hiddenByContent, openByName } from './hidden-changes.ts'
import { nulRecords } from './records.ts'
import { withGit, type Git, type GitDeps } from './with-git.ts'

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
