import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemCodeOf } from '../../../engine/base/errors.ts'
import type { ConfigProblem } from '../../../engine/config/types.ts'
import { whyFailed } from '../../../engine/store/store-failed.ts'
import type { PoliciesView } from '../../../../shared/policy/policy.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError, exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { addEdit } from './config-edit.ts'
import { configFile, sayProblems } from './config-file.ts'
import { confirmedKey } from './confirmed-key.ts'

/** Works without an engine. */
export function addConfig(program: Command, cli: Cli): void {
  const command = withCommon(
    program
      .command('config')
      .summary('the config file: path, check, edit, undo, put-back')
      .description('The config file. The engine takes a change over at once; a wrong one it leaves, and says why.'),
  )
  const path = command.command('path').summary('where it is').description('Prints where the config file is.')
  examples(withCommon(path), [['$EDITOR "$(onward config path)"', 'edit it']])
  path.action(() => {
    const file = configFile(placeOf(path, cli).home)
    if (wantsJson(path)) return printJson(cli, { path: file })
    cli.out(`${file}\n`)
  })

  const check = command
    .command('check')
    .summary('whether it is right')
    .description('Reads the config file as the engine would and says what is wrong and where. Works without an engine.')
    .argument('[file]', 'another file')
  examples(withCommon(check), [
    ['onward config check', 'the one of this home'],
    ['onward config check new.json && cp new.json "$(onward config path)"', 'before it is used'],
  ])
  check.action(async (given: string | undefined) => {
    const file = given === undefined ? configFile(placeOf(check, cli).home) : resolve(cli.cwd, given)
    const text = await read(file)
    if (text === null && given !== undefined) throw new CliError('notFound', `There is no file ${file}.`)
    const problems = text === null ? [] : await cli.parts.checkConfig(text)
    const policy = await cli.parts.policiesFor(text)
    const ok = problems.length === 0 && !policy?.trouble
    if (wantsJson(check)) printJson(cli, { path: file, exists: text !== null, ok, problems, ...(policy && { policy }) })
    else
      cli.out(
        report(file, text !== null, problems, cli) +
          (policy ? heldReport(policy, cli, await cli.parts.sentencesOf('en')) : ''),
      )
    if (!ok) cli.exitWith(exitCodes.failed.code)
  })

  addEdit(command, cli)
  addHeader(command, cli)

  async function read(file: string): Promise<string | null> {
    return readFile(file, 'utf8').catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return null
      throw new CliError('failed', `${file} can’t be read: ${whyFailed(error)}.`, { cause: error })
    })
  }
}

/** What an organisation holds in it; no mistake of the person's. */
function heldReport({ policies, bounded, trouble }: PoliciesView, cli: Cli, sentences: Sentences): string {
  const { style } = wordsOf(cli)
  const sources = policies.map(({ organisation, source }) => {
    const held = style.shape('paused', '⏸')
    return `${held} ${oneLine(sentences.organisation(organisation ?? ''))} sets rules in ${source}.\n`
  })
  return [
    ...(trouble ? [`${style.shape('failed', '▲')} ${oneLine(trouble.said)}\n`] : sources),
    ...bounded.map(({ path, fault }) => {
      const why = sentences.configProblem({ ...fault, line: 0, column: 0, path, message: fault.code })
      return `  ${path}: ${oneLine(why)}\n`
    }),
  ].join('')
}

function report(file: string, exists: boolean, problems: readonly ConfigProblem[], cli: Cli): string {
  const { style } = wordsOf(cli)
  if (!exists)
    return `${style.shape('idle', '○')} ${file} does not exist: the defaults hold, and the simulator answers.\n`
  if (problems.length === 0) return `${style.shape('done', '✓')} ${file} is right.\n`
  return sayProblems(file, problems, cli)
}

function addHeader(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'collector-header <name>',
    takes: ['the header, as `authorization`'],
    summary: 'a header for the telemetry collector, from stdin',
    description:
      'Reads the value of a header for `telemetry.collector` from stdin, asks you to confirm, and keeps it where ' +
      'keys are kept. The config names it by `secretRef`.',
    examples: [['pass show otel | onward config collector-header authorization', '“Bearer …” as it is sent']],
    input: (name: string) => name,
    async ask(calls, name) {
      const hint = 'Write “${NAME}” in the config: it takes a variable of the engine’s environment.'
      const secret = await confirmedKey(cli, `the collector’s header “${name}”`, name, hint)
      await calls.saveCollectorHeader.mutate({ name, secret })
      return { name }
    },
    say: ({ name }, { style }) => `${style.shape('done', '✓')} ${name} is sent to the collector from now on.\n`,
  })
}
