/** README, its neighbours and docs/ as tests read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface Document {
  /** from the root of the repository */
  path: string
  text: string
}

export const root = resolve(import.meta.dirname, '../../..')
const read = (path: string): Document => ({ path, text: readFileSync(resolve(root, path), 'utf8') })
export const readme = read('README.md')
const pagesIn = (folder: string): Document[] =>
  readdirSync(resolve(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => read(`${folder}/${name}`))
export const documents: readonly Document[] = [
  readme,
  ...['CONTRIBUTING.md', 'SECURITY.md'].map(read),
  ...['docs', 'docs/decisions'].flatMap(pagesIn),
]

export function documentAt(path: string): Document {
  const found = documents.find((one) => one.path === path)
  if (found === undefined) throw new Error(`there is no ${path}`)
  return found
}

/** Returns the texts in backticks within a line; blocks of code aside. */
export const spansOf = (text: string): string[] =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

/** The part below a heading, down to the next of its rank. */
export function sectionOf({ text }: Document, heading: string): string {
  const found = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`there is no “## ${heading}”`)
  return found
}

/** Rows of the table under a header cell, as cells; a `\|` within a cell is a `|`. */
export function tableOf(text: string, header: string): string[][] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${header} |`))
  if (at < 0) throw new Error(`there is no table under “${header}”`)
  const rest = lines.slice(at + 2)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  return rest.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
}
