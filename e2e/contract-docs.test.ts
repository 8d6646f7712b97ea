/** docs/contract.md: what the documents say that asked for this program, and the test that shows each statement. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, 'contract')

const head = `# The contract

What the documents say that asked for this program, one statement a line as its test words it, and where it is shown: on
a real engine, agents in tmux panes and a scripted provider. Where two documents disagree, the later one stands. What
Onward does otherwise on purpose stands in [decisions](decisions/README.md). This page is written by
\`e2e/contract-docs.test.ts\` (\`-u\`).
`

/** One row for each test of a file, below the section that its group names. */
function tableOf(file: string): string {
  const rows: string[] = []
  let section = ''
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    section = /^ {2}describe\('([^']+)'/.exec(line)?.[1] ?? section
    const name = /^ +it(?:\.each\(.*\))?\('((?:[^'\\]|\\.)+)'/.exec(line)?.[1]
    if (name !== undefined && section !== '') rows.push(`| ${section} | ${name.replaceAll('|', String.raw`\|`)} |`)
  }
  return `\n## ${file.replace('.spec.ts', '')}\n\n| section | statement |\n|---|---|\n${rows.join('\n')}\n`
}

it('docs/contract.md lists every statement and where it is shown', async () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts'))
    .toSorted()
  const page = head + files.map(tableOf).join('')
  expect(page.match(/^\| \d/gm)?.length).toBeGreaterThan(30)
  await expect(page).toMatchFileSnapshot('../docs/contract.md')
})
