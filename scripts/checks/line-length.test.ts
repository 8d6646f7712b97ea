/** No line is longer than 120 characters, so that two files fit beside each other on a screen. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documents } from '../../electron/cli/testing/documents.ts'

const root = resolve(import.meta.dirname, '../..')
const most = 120

/** Files whose long lines are data: to break them would change what they say, or hide what they show. */
const exempt: Readonly<Record<string, string>> = {
  'electron/engine/protocol/images/images.test.ts': 'golden bytes with an escape that has to stay raw',
  'electron/engine/protocol/responses/item-kinds.ts': 'a table',
  'electron/engine/servertools/review/instructions.ts': 'a prompt, sent as it is written',
  'electron/engine/servertools/vision-auto/describe.ts': 'a prompt, sent as it is written',
  'electron/engine/servertools/web-fetch/page/read-page.test.ts': 'a page as it is read',
  'electron/engine/servertools/web-fetch/testing/pages.ts': 'pages',
}
/** written by `vitest -u` from the program itself */
const generated = new Set(['docs/cli.md', 'docs/config-members.md', 'docs/notifications.md'])

const filesOf = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.includes('node_modules') && !path.includes('.artifacts'))

const longLines = (path: string): readonly { at: string; text: string }[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((text, i) => ({ at: `${path}:${i + 1}`, text }))
    .filter(({ text }) => Array.from(text).length > most)

/** A regular expression stands on a line of its own and can't be broken. */
const isPattern = (text: string): boolean => /^\s*(?:\w+: |!)?\/(?![/*])/.test(text)
const isTable = (text: string): boolean => /^\s*\|/.test(text)

describe('lines', () => {
  it('of sources are short enough', () => {
    const sources = ['electron', 'shared', 'renderer', 'e2e', 'scripts'].flatMap((folder) =>
      filesOf(folder, /\.(?:ts|tsx|mjs|css)$/),
    )
    expect(sources.length).toBeGreaterThan(1_000)
    const found = sources
      .filter((path) => !Object.hasOwn(exempt, path))
      .flatMap(longLines)
      .filter(({ text }) => !isPattern(text))
    expect(found.map(({ at }) => at)).toEqual([])
  })

  it('of documents are short enough, but for tables', () => {
    const found = filesOf('docs', /\.md$/)
      .filter((path) => !generated.has(path))
      .flatMap(longLines)
      .filter(({ text }) => !isTable(text))
    expect(found.map(({ at }) => at)).toEqual([])
  })

  it('of documents are few enough to be read: 32 000 words without the pages that a test writes', () => {
    const whole = ['docs/cli.md', 'docs/config-members.md', 'docs/contract.md']
    const written = documents.filter(({ path }) => !whole.includes(path))
    const words = written.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
    expect(words).toBeGreaterThan(20_000)
    expect(words).toBeLessThanOrEqual(32_000)
  })

  it.each(Object.keys(exempt))('of %s are long still', (path) => {
    expect(longLines(path).length).toBeGreaterThan(0)
  })
})
