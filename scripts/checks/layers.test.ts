/** The picture of the engine's levels in docs/architecture.md, drawn from the imports and the rule that holds them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { documentAt, root, spansOf, tableOf } from '../../electron/cli/testing/documents.ts'
import { importsOf, sourcesIn } from './imports.ts'

const engine = join(root, 'electron/engine')
const page = join(root, 'docs/architecture.md')
const layers = createRequire(import.meta.url)('../layers.cjs') as readonly (readonly string[])[]
const downwards = layers.toReversed()
const folderOf = (path: string): string => relative(engine, path).split(/[\\/]/)[0] ?? ''

/** folder → the folders whose files it imports, types included */
function foldersFor(folder: string): Set<string> {
  const targets = sourcesIn(join(engine, folder)).flatMap(importsOf)
  const folders = targets.map(({ path }) => folderOf(path))
  return new Set(folders.filter((to) => to !== folder && layers.flat().includes(to)))
}

/** Each folder with what it imports; `base` is left out, since all import it. */
function picture(): string {
  const folders = downwards.flat().filter((name) => name !== 'base')
  return downwards
    .map((names) =>
      names
        .map((name) => {
          const imported = foldersFor(name)
          const to = folders.filter((one) => imported.has(one)).join(', ')
          const [first = '', ...more] = to.match(/.{1,80}(?:, |$)/g) ?? []
          const line = `${name.padEnd(15)}${first === '' ? '' : '→ '}${first}`
          return [line, ...more.map((rest) => ' '.repeat(17) + rest)].map((one) => one.trimEnd()).join('\n')
        })
        .join('\n'),
    )
    .join(`\n${'-'.repeat(80)}\n`)
}

it('shows what each folder of the engine imports', async () => {
  const text = readFileSync(page, 'utf8')
  const drawn = text.replace(
    /(<!-- levels: drawn by [^\n]*-->\n\n```\n)[^]*?(```\n)/,
    (_, before: string, after: string) => `${before}${picture()}\n${after}`,
  )
  expect(drawn).toContain('<!-- levels: drawn by')
  await expect(drawn).toMatchFileSnapshot(page)
})

it('lists the folders of each level', () => {
  const rows = tableOf(documentAt('docs/architecture.md').text, 'level | folders of `electron/engine`')
  expect(rows.map(([, folders = '']) => spansOf(folders).toSorted())).toEqual(
    downwards.map((names) => names.toSorted()),
  )
})
