/** Finds the modules a file loads before it does anything: its static imports, and theirs. */
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

interface Import {
  names: string
  from: string
}

/** Imports and exports of values; those of types alone are gone once it is built. */
const importsOf = (source: string): Import[] =>
  Array.from(
    source.matchAll(/^(?:(?:import|export)\s+(?!type\b)([^'"]*?)\s*from\s+|import\s+)'([^']+)'/gm),
    ([, names = '', from = '']) => ({ names, from }),
  ).filter(({ names }) => !isTypesOnly(names))

function isTypesOnly(names: string): boolean {
  const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1]?.split(',')
  const given = listed?.map((name) => name.trim()).filter((name) => name !== '') ?? []
  return given.length > 0 && given.every((name) => name.startsWith('type '))
}

/** Packages that are loaded at once with a file of the repository, each with the files that lead to it. */
export function packagesFrom(entry: string): Map<string, string> {
  const packages = new Map<string, string>()
  const by = new Map<string, string | null>([[resolve(root, entry), null]])
  for (const file of by.keys()) {
    for (const { from } of importsOf(readFileSync(file, 'utf8'))) {
      if (from.startsWith('node:')) continue
      if (!from.startsWith('.')) packages.set(from, packages.get(from) ?? way(file))
      else if (from.endsWith('.ts')) {
        const next = resolve(dirname(file), from)
        if (!by.has(next)) by.set(next, file)
      }
    }
  }
  return packages

  function way(file: string): string {
    const files: string[] = []
    for (let at: string | null | undefined = file; at; at = by.get(at)) files.push(relative(root, at))
    return files.join(' < ')
  }
}
