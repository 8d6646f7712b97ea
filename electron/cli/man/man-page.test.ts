import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { unless } from '../../../shared/testing/unless.ts'
import { commandsUnder, headingsOf, argumentsOf, examplesOf, optionsOf, usageOf, withChildren } from '../described.ts'
import { exitCodes } from '../exit.ts'
import { describedProgram } from '../testing/cli-reference.ts'
import { documentAt, tableOf } from '../testing/documents.ts'
import { onward } from '../testing/test-cli.ts'
import { manPage, variables } from './man-page.ts'
import { bold, prose } from './roff.ts'

const program = describedProgram()
const page = manPage(program, { version: '1.2.3', now: Date.UTC(2026, 10, 29) })
const commands = headingsOf(program).flatMap((heading) => commandsUnder(program, heading).flatMap(withChildren))

describe('the manual page', () => {
  it('is what the command prints', async () => {
    const { code, out, err } = await onward(['man'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').slice(1)).toEqual(page.split('\n').slice(1))
  })
  it('says its version, its date and what it is', () => {
    expect(page).toMatch(/^\.TH ONWARD 1 2026-11-29 "Onward 1\.2\.3" "User Commands"\n\.SH NAME\nonward \\- keeps /)
  })
  it('has the parts of a manual page in their order', () => {
    expect([...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name)).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'OPTIONS',
      'COMMANDS',
      'EXIT STATUS',
      'ENVIRONMENT',
      'FILES',
      'SEE ALSO',
    ])
  })
  it('has every command with what it takes, each in its own part', () => {
    const parts = page.split(/^\.TP\n(?=\\fBonward )/m).slice(1)
    expect(parts.map((part) => part.split('\n', 1)[0])).toEqual(commands.map((command) => bold(usageOf(command))))
    for (const [at, command] of commands.entries())
      for (const [term, what] of [...argumentsOf(command), ...optionsOf(command)])
        expect(parts[at]).toContain(`.TP\n${bold(term)}\n${prose(what)}\n`)
  })
  it('has every exit code', () => {
    for (const { code, meaning } of Object.values(exitCodes))
      expect(page).toContain(`.TP\n\\fB${code}\\fR\n${prose(meaning)}\n`)
  })
  it('has the variables that docs/configuration.md has', () => {
    const rows = tableOf(documentAt('docs/configuration.md').text, 'variable')
    const plain = (text: string) => text.replaceAll('’', "'")
    expect(variables.map(([name, what]) => [name, plain(what)])).toEqual(
      rows.map(([name = '', what = '']) => [name.replaceAll('`', ''), plain(what)]),
    )
  })
  it('names the config where the command line does', async () => {
    const { out } = await onward(['config', 'path'])
    expect(page).toContain(`.TP\n${bold(out.trim().replace('/home/ada', '~'))}\n`)
  })
  it('begins no line with a sign of roff but for its own macros', () => {
    const requests = new Set([...page.matchAll(/^([.'].*?)(?: |$)/gm)].map(([, request]) => request))
    expect([...requests].sort()).toEqual([
      '.B',
      '.BR',
      '.IP',
      '.PP',
      '.RE',
      '.RI',
      '.RS',
      '.SH',
      '.SS',
      '.TH',
      '.TP',
      '.fi',
      '.nf',
    ])
    expect(page).toMatch(/^[\n -~]+$/)
  })
})

/** a program whose words look like requests, escapes and glyphs */
const odd = ['.TH is no request, \\fB no font, \\(em no dash; it\'s ~/a-b ^C "x"', "'br neither", 'wide: ≥ 每']
function oddPage(): string {
  const strange = new Command('onward').description('Is strange.')
  strange.commandsGroup('Odd:')
  strange.command('odd').description(odd.join('\n')).option('--odd-one <x>', odd[0])
  return manPage(strange, { version: '.1', now: 0 })
}

/** Runs a typesetter on the page; a letter that is printed twice for bold comes once. */
function typeset(
  input: string,
  name: string,
  ...args: string[]
): { status: number | null; stderr: string; text: string } {
  const { status, stdout, stderr } = spawnSync(name, args, { input, encoding: 'utf8' })
  return { status, stderr, text: stdout.replace(/.\x08/gu, '') }
}
const missing = (name: string): string | null =>
  spawnSync(name, ['-v'], { input: '' }).error ? `${name} is not installed` : null

describe.each([
  ['mandoc', ['-T', 'utf8', '-O', 'width=300']],
  ['groff', ['-man', '-ww', '-T', 'utf8', '-P-c', '-rLL=300n', '-k']],
] as const)('as %s prints it', (name, args) => {
  it('every usage, option and example can be copied', unless(missing(name)), () => {
    const { status, stderr, text } = typeset(page, name, ...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const command of commands)
      for (const line of [usageOf(command), ...optionsOf(command).map(([term]) => term), ...examplesOf(command)])
        expect(text.replace(/ +/g, ' ')).toContain(line.replaceAll('…', '...').replace(/ +/g, ' '))
  })
  it('texts that look like its own language stay texts', unless(missing(name)), () => {
    const { status, stderr, text } = typeset(oddPage(), name, ...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const line of [...odd, '--odd-one <x>']) expect(text).toContain(line)
    expect(text.split(odd[0] ?? '').length).toBe(3)
  })
})

it('has nothing that mandoc warns of', unless(missing('mandoc')), () => {
  expect(typeset(page, 'mandoc', '-T', 'lint', '-W', 'warning')).toEqual({ status: 0, stderr: '', text: '' })
})
