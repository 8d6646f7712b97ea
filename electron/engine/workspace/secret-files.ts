/** Recognizes secrets by the names of files. The reviewer is told why, and does without. */
import { copyEndings, harmlessNames, secretAsFiles, secretFolders, secretNames, secretWays } from './secret-table.ts'

/** Git's own config may hold tokens, and its objects every file that ever was. A work tree may stand below one. */
const gitFolder = '.git'

/** Returns the kind of secret that any part of a path names, else null. */
export function secretByName(path: string): string | null {
  const parts = path.split(/[\\/]/).map((part) => spellings(part))
  for (const [at, spelled] of parts.entries())
    for (const name of spelled) {
      if (harmlessNames.has(name)) continue
      if (name === gitFolder) return 'git’s own files'
      const why =
        secretFolders.get(name) ??
        secretNames.find((row) => row.name.test(name))?.why ??
        (at === parts.length - 1 ? secretAsFiles.find((row) => row.name.test(name))?.why : undefined)
      if (why !== undefined) return why
    }
  return wayIn(parts)
}

/**
 * The same of a whole path, where only folders are judged: the session's own may stand in one. What a folder is called
 * further up (`credentials/`, `my.key/`) says nothing of all that is below it.
 */
export function secretFolderAbove(real: string): string | null {
  const parts = real.split(/[\\/]/).map((part) => spellings(part))
  for (const spelled of parts)
    for (const name of spelled) {
      const why = secretFolders.get(name)
      if (why !== undefined) return why
    }
  return wayIn(parts)
}

const beginnings: ReadonlySet<string | undefined> = new Set(secretWays.map(({ way }) => way[0]))

const wayIn = (parts: readonly (readonly string[])[]): string | null =>
  !parts.some((spelled) => spelled.some((name) => beginnings.has(name)))
    ? null
    : (secretWays.find(({ way }) =>
        parts.some((_part, at) => way.every((name, i) => parts[at + i]?.includes(name) === true)),
      )?.why ?? null)

function spellings(part: string): readonly string[] {
  const folded = fold(part)
  return [...new Set([folded, withoutWindowsEnd(folded), ...originals(folded)])]
}

/** Names of which this one may be a copy: `server.key.bak`, `.id_rsa.swp`, `#.env#`. */
function originals(name: string): readonly string[] {
  const found: string[] = []
  for (let at = name, left = 3; left > 0; left--) {
    const original = at.replace(copyEndings, '')
    if (original === at || original === '') break
    found.push(original, original.replace(/^(?:\.#|#|\.)/, ''))
    at = original
  }
  return found
}

/** Where there is nothing to fold but case: most of all names. */
const plain = /^[!-~]*$/

/** One name for names that some file systems take for the same: HFS+ ignores case and these characters. */
const fold = (name: string): string =>
  plain.test(name)
    ? name.toLowerCase()
    : name
        .normalize('NFKC')
        .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
        .toLowerCase()

/** Windows cuts off dots and blanks at a name's end, and `::$DATA` names the file itself. */
const withoutWindowsEnd = (name: string): string => name.replace(/:.*$/s, '').replace(/[. ]+$/, '')
