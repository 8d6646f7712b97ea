/** What the product's sources import from each other, types included. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface Import {
  /** absolute, of the file that is imported */
  path: string
  /** a file that is loaded when it is needed, or imported whole, counts as one name */
  names: readonly string[]
}

/** Absolute paths of a tree's sources, without tests and what only tests use. */
export const sourcesIn = (tree: string): string[] =>
  readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|spec)\.tsx?$|(^|[\\/])testing[\\/]/.test(path))
    .map((path) => join(tree, path))

const form =
  /^(?:import|export)\s+(?:type\s+)?(\*[^'{}]*|\w+|(?:\w+,\s*)?\{[^{}]*\})\s+from\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm

export const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(form)].map(([, said = '', from, lazy]) => {
    const [, listed] = /\{([^}]*)\}/.exec(said) ?? []
    const names = listed
      ?.split(',')
      .map((name) => /^(?:type\s)?\s*(\w+)/.exec(name.trim())?.[1] ?? '')
      .filter((name) => name !== '')
    const path = resolve(dirname(file), from ?? lazy ?? '')
    return { path, names: names ?? [`* of ${path}`] }
  })
