import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unless } from '../../../shared/testing/unless.ts'
import { describedProgram } from '../testing/cli-reference.ts'
import { onward } from '../testing/test-cli.ts'
import { powershellCompletion } from './powershell.ts'
import { flatten, nameOf, treeOf, wordsAt, type CompletionNode } from './tree.ts'

const tree = treeOf(describedProgram())
const written = powershellCompletion(tree)

/** As PowerShell reads single quotes: each of five signs opens and closes, and two of them are one within. */
const literal = /['‘’‚‛]((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛]/g
const literalsOf = (text: string): string[] =>
  [...text.matchAll(literal)].map(([, inner = '']) => inner.replace(/(['‘’‚‛])['‘’‚‛]/g, '$1'))

/** Returns what stands for each place in the block that begins with a line. */
function tableOf(text: string, clause: RegExp): Map<string, string[]> {
  return new Map(
    [...text.matchAll(clause)].map(([, at = '', offers = '']) => {
      const words = literalsOf(offers)
      expect(
        words.every((word) => word !== ''),
        `an empty explanation at ${at}`,
      ).toBe(true)
      return [at, words.filter((_, i) => i % 2 === 0)]
    }),
  )
}

describe('PowerShell completion', () => {
  it('is what the command prints, for the command of the person', async () => {
    const { code, out } = await onward(['completion', 'powershell'])
    expect(code).toBe(0)
    expect(out).toBe(written)
    expect(out).toContain('Register-ArgumentCompleter -Native -CommandName onward -ScriptBlock {')
  })
  it('offers at each place the commands, values and options that are declared there', () => {
    const offers = tableOf(written, /^ {6}'([a-z -]*)' \{ \$offers = @\(\n([^]*?)\n {6}\); break \}$/gm)
    expect(Object.fromEntries(offers)).toEqual(
      Object.fromEntries(flatten(tree).map((node) => [node.path.join(' '), wordsAt(node)])),
    )
  })
  it('finds each command from the one above it', () => {
    const steps = [...written.matchAll(/^ {6}'([a-z -]*)\|([a-z-]+)' \{ \$at = '([a-z -]+)'; break \}$/gm)]
    const declared = flatten(tree).flatMap((node) =>
      node.children.map((child) => [node.path.join(' '), nameOf(child), child.path.join(' ')]),
    )
    expect(steps.map(([, ...step]) => step)).toEqual(declared)
  })
  it('offers the values of each option that has a list of them', () => {
    const offers = tableOf(written, /^ {6}'([a-z -]*\|--?[a-z-]+)' \{ \$offers = @\((.*)\); break \}$/gm)
    const declared = flatten(tree).flatMap((node) =>
      node.options
        .filter(({ choices }) => choices.length > 0)
        .flatMap(({ flags, choices }) =>
          flags.map((flag) => [`${node.path.join(' ')}|${flag}`, [...choices]] as const),
        ),
    )
    expect(declared.length).toBeGreaterThan(0)
    expect(Object.fromEntries(offers)).toEqual(Object.fromEntries(declared))
  })
  it('has no text that PowerShell could take for code', () => {
    const code = written.replace(/^#.*$/gm, '').replace(literal, '')
    expect(code).not.toMatch(/['"`]/)
    const variables =
      'at commandAst cursorPosition element false i last offer offers skip through true type values word wordToComplete'
    expect([...new Set(code.match(/\$[\w{(]+/g))].sort()).toEqual(variables.split(' ').map((name) => `$${name}`))
    // Windows PowerShell reads other signs as those of an old code page
    expect(written).toMatch(/^[\n -~]+$/)
  })
  it.each([
    ['it’s ‘so’', "'it''s ''so'''", "it's 'so'"],
    ["'; Remove-Item x; '", "'''; Remove-Item x; '''", "'; Remove-Item x; '"],
    ['‚low‛', "'‚‚low‛‛'", '‚low‛'],
    ['$HOME `n $(x) “y”…', `'$HOME \`n $(x) "y"...'`, '$HOME `n $(x) "y"...'],
    ['the first\nthe second', "'the first'", 'the first'],
  ])('writes %j as one literal', (text, as, read) => {
    const node: CompletionNode = {
      path: ['x'],
      summary: text,
      options: [],
      choices: [],
      passesThrough: false,
      children: [],
    }
    const script = powershellCompletion({ ...node, path: [], children: [node] })
    expect(script).toContain(`\n        'x', ${as}\n`)
    expect(literalsOf(as)).toEqual([read])
  })
})

const missing = spawnSync('pwsh', ['-NoProfile', '-Command', 'exit 0']).error ? 'PowerShell is not installed' : null
const folder = mkdtempSync(join(tmpdir(), 'onward-powershell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the completions of a real PowerShell for a line whose end is the cursor. */
function offered(line: string): string[] {
  const file = join(folder, 'onward.ps1')
  writeFileSync(file, written)
  const program = `. '${file}'; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`
  const { status, stdout, stderr } = spawnSync('pwsh', ['-NoProfile', '-Command', program], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split(/\r?\n/).filter(Boolean)
}

describe('PowerShell completion, asked of a real PowerShell', () => {
  it.each([
    ['onward se', ['serve', 'sessions'], ['status']],
    ['onward --home config st', ['status', 'stop-message'], ['check']],
    ['onward stop-message billing --r', ['--rounds', '--review'], ['--clear']],
    ['onward terminals open ', ['claude', '--cwd'], ['close']],
    ['cd x; onward register --client ', ['claude', 'qwen'], ['--name']],
    ['onward codex exec ', [], ['--tmux', 'status']],
  ] as const)('%s', unless(missing), (line, offers, not) => {
    const words = offered(line)
    expect(words).toEqual(expect.arrayContaining([...offers]))
    for (const word of not) expect(words).not.toContain(word)
  })
})
