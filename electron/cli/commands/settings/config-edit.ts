import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { systemCodeOf } from '../../../engine/base/errors.ts'
import { nodeConfigFiles } from '../../../engine/config/node-files.ts'
import { newConfig } from '../../../engine/config/edit.ts'
import { makeFolders } from '../../../engine/store/disk-files.ts'
import { whyFailed } from '../../../engine/store/store-failed.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { configFile, sayProblems } from './config-file.ts'

/** Works without an engine. */
export function addEdit(parent: Command, cli: Cli): void {
  const command = parent
    .command('edit')
    .summary('in your editor, checked before it counts')
    .description(
      'Opens a copy of the config file in $VISUAL or $EDITOR. It takes the file’s place ' +
        'when it is right; else you are asked to edit it again, or it is kept beside.',
    )
  examples(withCommon(command), [
    ['onward config edit', 'in your editor'],
    ['EDITOR="code --wait" onward config edit', 'in another'],
  ])
  command.action(async () => {
    const file = configFile(placeOf(command, cli).home)
    const changed = await edit(file, cli)
    if (wantsJson(command)) return printJson(cli, { path: file, changed })
    const { style } = wordsOf(cli)
    cli.out(
      changed
        ? `${style.shape('done', '✓')} ${file} is changed. A running engine takes it over at once.\n`
        : `${style.shape('idle', '○')} Nothing was changed.\n`,
    )
  })
}

/** @returns true if anything was changed */
async function edit(file: string, cli: Cli): Promise<boolean> {
  const files = nodeConfigFiles()
  const read = async () =>
    (
      await files.read(file).catch((error: unknown) => {
        throw new CliError('failed', `${file} can’t be read: ${whyFailed(error)}.`, { cause: error })
      })
    )?.toString('utf8') ?? null
  const home = dirname(file)
  await makeFolders(home)
  const before = await read()
  // A folder of its own, open to this person only: editors leave backups beside the file, and it may hold keys.
  const folder = await mkdtemp(join(home, 'edit-'))
  const copy = join(folder, 'config.json')
  const start = before ?? newConfig
  let kept = false
  const giveUp = (why: string, hint?: string): CliError => {
    kept = true
    return new CliError('failed', `${why} The config is as it was; your text is kept in ${copy}.`, { hint })
  }
  try {
    await writeFile(copy, start, { mode: 0o600 })
    await copyFile(join(home, 'config.schema.json'), join(folder, 'config.schema.json')).catch((error: unknown) => {
      if (systemCodeOf(error) !== 'ENOENT') throw error
    })
    for (;;) {
      const failure = await runEditor(copy, cli)
      const text = await readFile(copy, 'utf8').catch((error: unknown) => {
        throw new CliError('failed', `The editor left nothing to read: ${whyFailed(error)}.`, { cause: error })
      })
      if (failure !== null)
        throw text === start ? new CliError('failed', `${failure} Nothing was changed.`) : giveUp(failure)
      if (text === start) return false
      const problems = await cli.parts.checkConfig(text, start)
      if (problems.length === 0) {
        if (
          (await read()) !== before &&
          !(asksPerson(cli) && cli.askYesNo(`${file} was changed by another program meanwhile. Write over it? [y/N] `))
        )
          throw giveUp(`${file} was changed by another program meanwhile.`)
        await files.write(file, text).catch((error: unknown) => {
          throw giveUp(`${file} can’t be written: ${whyFailed(error)}.`)
        })
        return true
      }
      cli.err(sayProblems(copy, problems, cli))
      if (!asksPerson(cli) || !cli.askYesNo('Edit it again? [y/N] '))
        throw giveUp('That is no valid config.', `Go on with it: onward config check ${copy}`)
    }
  } finally {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
}

const asksPerson = (cli: Cli): boolean => cli.tty.in && cli.tty.err

/** @returns a sentence about an editor that failed, else null */
function runEditor(copy: string, cli: Cli): Promise<string | null> {
  const windows = cli.platform === 'win32'
  const editor = cli.env.VISUAL || cli.env.EDITOR || (windows ? 'notepad' : 'vi')
  // Through the shell, as git does it: the variable may hold arguments and quotes.
  const child = windows
    ? spawn(`${editor} "${copy}"`, { shell: true, stdio: 'inherit', cwd: cli.cwd, env: cli.env })
    : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, copy], { stdio: 'inherit', cwd: cli.cwd, env: cli.env })
  // Ctrl C is the editor's while it is in front.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  return new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(`The editor ${editor} could not be started: ${whyFailed(error)}.`))
    child.on('exit', (code, signal) =>
      resolve(
        code === 0
          ? null
          : code === 127
            ? `The editor ${editor} was not found. Set EDITOR to one that is there.`
            : `The editor ${editor} ended with ${code ?? signal}.`,
      ),
    )
  }).finally(() => process.off('SIGINT', ignore))
}
