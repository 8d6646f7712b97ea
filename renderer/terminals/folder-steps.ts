import type { FolderListing } from '../../shared/setup/folders.ts'

/** The path of a folder in the one that is shown. */
export const pathIn = ({ path, separator }: FolderListing, name: string): string =>
  path.endsWith(separator) ? path + name : path + separator + name

/** How a folder is called by itself; a root has nothing but its path. */
export const nameOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path

/**
 * Where a key leads in a list of folders, as in a file manager: to another line, into a folder, up, or nowhere (null).
 * @param letters what was typed in one go, the key included
 */
export type FolderStep = { to: 'line'; at: number } | { to: 'inside'; at: number } | { to: 'above' } | null

export function folderStep(key: string, letters: string, names: readonly string[], at: number): FolderStep {
  const last = names.length - 1
  const line = (index: number): FolderStep => (last < 0 ? null : { to: 'line', at: Math.min(Math.max(index, 0), last) })
  switch (key) {
    case 'ArrowDown':
      return line(at + 1)
    case 'ArrowUp':
      return line(at - 1)
    case 'PageDown':
      return line(at + pageOfLines)
    case 'PageUp':
      return line(at - pageOfLines)
    case 'Home':
      return line(0)
    case 'End':
      return line(last)
    case 'Enter':
    case 'ArrowRight':
      return last < 0 ? null : { to: 'inside', at }
    case 'Backspace':
    case 'ArrowLeft':
      return { to: 'above' }
    default:
      return key.length === 1 ? lettersLead(letters.toLowerCase(), names, at) : null
  }
}

const pageOfLines = 8

/** The same letter again goes on to the next that begins with it. */
function lettersLead(letters: string, names: readonly string[], at: number): FolderStep {
  const repeated = letters.length > 1 && new Set(letters).size === 1
  const start = repeated ? letters.slice(0, 1) : letters
  const from = letters.length === 1 || repeated ? at + 1 : at
  for (let i = 0; i < names.length; i++) {
    const index = (from + i) % names.length
    if (names[index]?.toLowerCase().startsWith(start)) return { to: 'line', at: index }
  }
  return null
}
