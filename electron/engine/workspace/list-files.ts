import type { Found } from './types.ts'
import { locate, type Confines } from './confine.ts'
import type { Entries, Entry } from './entries.ts'
import { counted, linesThatFit, inspected, notInspected } from './found.ts'
import { refused, shownPath } from './relative-path.ts'
import { secretByName } from './secret-files.ts'

const mostEntries = 400
const deepest = 4

interface Branch {
  path: string
  entries: Branch[] | null
  label: string
}

/** Names below a folder: the upper levels first as far as the number goes, printed as a tree of whole paths. */
export async function listFiles(
  confines: Confines,
  asked: string,
  entriesOf: Entries,
  signal: AbortSignal,
): Promise<Found> {
  const place = await locate(confines, asked)
  if (!place.ok) return notInspected(shownPath(asked), place)
  const what = shownPath(place.path)
  if (place.kind === 'file')
    return notInspected(what, refused(`“${what}” is a file. Read it with read_file.`, 'a file'))
  const root: Branch = { path: place.path, entries: null, label: '' }
  let left = mostEntries
  let level = [root]
  for (let depth = 0; depth < deepest && left > 0; depth++) {
    const below: Branch[] = []
    for (const branch of level) {
      if (signal.aborted) return notInspected(what, refused('It was stopped.', 'stopped'))
      const entries = await entriesOf(branch.path)
      if (left === 0 || (entries.length > left && branch !== root)) continue
      branch.entries = entries.slice(0, left).map((entry) => branchOf(branch.path, entry))
      left -= branch.entries.length
      if (entries.length > branch.entries.length)
        branch.entries.push({ path: '', entries: [], label: `… ${entries.length - branch.entries.length} more names` })
      below.push(...branch.entries.filter((one) => one.entries === null))
    }
    level = below
  }
  const lines = printed(root.entries ?? [])
  const shown = linesThatFit(lines)
  const cut = shown.length < lines.length ? [`… ${lines.length - shown.length} more names: list a folder below.`] : []
  if (lines.length === 0)
    return inspected(
      what,
      `${what} is empty, or holds only what is left out (ignored by git, node_modules, build output).`,
      'empty',
    )
  return inspected(what, [...shown, ...cut].join('\n'), counted(mostEntries - left, 'name'))
}

function branchOf(above: string, { name, kind }: Entry): Branch {
  const path = above === '' ? name : `${above}/${name}`
  if (secretByName(kind === 'folder' ? `${name}/` : name) !== null)
    return { path, entries: [], label: `${shownPath(path)} (holds secrets: can’t be read)` }
  if (kind === 'folder') return { path, entries: null, label: `${shownPath(path)}/` }
  return {
    path,
    entries: [],
    label: kind === 'file' ? shownPath(path) : `${shownPath(path)} (${kind === 'link' ? 'a link' : 'not a file'})`,
  }
}

const printed = (branches: readonly Branch[]): string[] =>
  branches.flatMap((one) => [
    one.entries === null ? `${one.label} (not listed here: list it by its path)` : one.label,
    ...printed(one.entries ?? []),
  ])
