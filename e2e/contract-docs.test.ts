/** docs/contract.md: the statements of the documents that asked for this program, and the test that shows each. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, 'contract')

const head = `# The contract

The statements of the documents that asked for this program, one a line, in the words of the test that shows it. The
test stands in the file of its heading in \`e2e/contract/\` and runs a real engine, agents in tmux panes and a scripted
provider. Where two documents disagree, the later one stands. Sections that name files and stages of the program they
were written for (000 3.1, 002 5, 003 1 and 3, 004 2) say nothing of Onward, which keeps their duties apart by its own
layout. What Onward does otherwise on purpose stands at the end. This page is written by
\`e2e/contract-docs.test.ts\` (\`-u\`).
`

/** Not kept on purpose, each with its page. Above is the plain behaviour, where a setting gives it. */
const otherwise = [
  ['000 2.2', 'markers in code are taken out as any other', 'markers-in-code'],
  ['000 2.1', 'markers act wherever they stand in a message', 'markers-at-the-edges'],
  ['000 2.2', 'a message of nothing but markers goes up empty', 'markers-alone'],
  ['000 1.1, 002 1.1', 'the default goal is 继续执行', 'default-texts'],
  ['000 3, 002 3', 'every plain stop is answered at once', 'open-work'],
  ['001 1.1, 5.1', 'every single request has the tool and the time, an agent’s side requests too', 'turns-alone'],
  ['001 1.3', 'an answer is held open for any session', 'held-answers'],
  ['001 4.2', 'each change of an alarm is written to its file at once, however long that is', 'documents'],
  ['001 5.3', 'which request carries an alarm is known in memory alone', 'claims'],
  ['001 8', 'a session has as many alarms as are set', 'alarm-limit'],
  ['002 1.1', 'nothing but the number limits a reviewed goal', 'reviewed-goals-ask'],
  ['002 4.2', 'a goal of a file acts at once', 'goals-in-files'],
  ['002 4.3, 004 3', 'an Enter that is not taken clears the state', 'enter-not-taken'],
  ['003 2.4', 'calls of Onward’s tools after the second round go to the client', 'own-calls-stay'],
  ['004 1, 4', 'all state stands under a tmux session, and all text is typed into one', 'other-terminals'],
  ['004 3', 'a header that names a tmux session is believed', 'unproven-terminals'],
  ['004 4', 'a terminal that is not ready at a stop ends the goal', 'waiting-terminals'],
  ['004 5', 'state of a tmux session that is gone goes at once where no other session can take it', 'closed-terminals'],
] as const

const deviations = `
## Otherwise on purpose

| section | statement | why, and how to have it |
|---|---|---|
${otherwise.map(([where, what, page]) => `| ${where} | ${what} | [${page}](decisions/${page}.md) |`).join('\n')}
`

/** The first text that is followed by a function or its options: the rows of a table come before it. */
const groupOrTest =
  /^ {2}describe\('([^']+)'|^ {4}it\b(?:[\s\S](?!^ {4}\}\)))*?'((?:[^'\\\n]|\\.)+)',\s*(?:async|\(|\{)/gm

/** One row for each test of a file, below the section that its group names. */
function tableOf(file: string): string {
  const rows: string[] = []
  let section = ''
  for (const [, group, name] of readFileSync(join(folder, file), 'utf8').matchAll(groupOrTest))
    if (group !== undefined) section = group
    else if (name !== undefined) {
      const plain = name.replace(/: [$%][\w.]+$/, '')
      rows.push(`| ${section} | ${plain.replaceAll('|', String.raw`\|`)} |`)
    }
  return `\n## ${file.replace('.spec.ts', '')}\n\n| section | statement |\n|---|---|\n${rows.join('\n')}\n`
}

it('docs/contract.md lists every statement and where it is shown', async () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts'))
    .toSorted()
  const page = head + files.map(tableOf).join('') + deviations
  for (const [, , decision] of otherwise)
    expect(readFileSync(join(import.meta.dirname, `../docs/decisions/${decision}.md`), 'utf8')).toContain('**The plain')
  expect(page.match(/^\| \d/gm)?.length).toBeGreaterThan(30)
  await expect(page).toMatchFileSnapshot('../docs/contract.md')
})
