import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError, exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { addAdd } from './checks-add.ts'
import { addApprove, addForget } from './checks-approve.ts'
import { checkNamed, checksText, whichCheck, whichSession } from './checks-text.ts'

export function addChecks(program: Command, cli: Cli): void {
  const command = program
    .command('checks')
    .summary('what has to pass before a goal is reached')
    .description(
      'Declared checks of the folder the session’s agent works in: programs of .onward.json and ' +
        'those you added. Each runs only once a person approved it, for exactly this folder and ' +
        'these words.\n\nShapes: ✓ passed, ▲ failed, ○ never ran, ◆ needs your approval, ● running',
    )
    .argument('<session>', whichSession)
  examples(withCommon(command), [
    ['onward checks billing', 'the list'],
    ['onward checks run billing tests', 'run one now'],
    ['onward checks add billing --name tests -- npm test', 'one of your own; asks you to confirm'],
    ['onward checks approve billing tests', 'one of .onward.json; asks you to confirm'],
  ])
  command.action(async (session: string) => {
    const { checks, sentences } = await withEngine(placeOf(command, cli), async (calls) => {
      const [all, status] = await Promise.all([calls.checks.query(session), calls.status.query()])
      return { checks: all, sentences: await cli.parts.sentencesOf(status.language) }
    })
    if (wantsJson(command)) return printJson(cli, checks)
    cli.out(checksText(checks, sentences, cli))
  })
  addRun(command, cli)
  addAdd(command, cli)
  addApprove(command, cli)
  addForget(command, cli)
}

function addRun(parent: Command, cli: Cli): void {
  const command = parent
    .command('run')
    .summary('run one now')
    .description('Runs an approved check now, and says how it went. Ends with 1 where it does not pass.')
    .argument('<session>', whichSession)
    .argument('<name>', whichCheck)
  examples(withCommon(command), [
    ['onward checks run billing tests', 'now'],
    ['onward checks run billing tests && git push', 'only when it passes'],
  ])
  command.action(async (session: string, name: string) => {
    const { run, sentences, changedFiles } = await withEngine(placeOf(command, cli), async (calls) => {
      const check = checkNamed(await calls.runCheck.mutate({ session, name }), name)
      return {
        run: check.last,
        changedFiles: check.changedFiles,
        sentences: await cli.parts.sentencesOf((await calls.status.query()).language),
      }
    })
    if (run === null) throw new CliError('failed', `The check “${oneLine(name)}” has not run.`)
    const passed = run.outcome === 'passed'
    if (!passed) cli.exitWith(exitCodes.failed.code)
    if (wantsJson(command)) return printJson(cli, run)
    const { style } = wordsOf(cli)
    cli.out(
      `${passed ? style.shape('done', '✓') : style.shape('failed', '▲')} ` +
        `${oneLine(sentences.checkRan(run))} ${style.quiet(sentences.figures.took(run.ms))}\n`,
    )
    if (changedFiles.length > 0)
      cli.out(
        `${style.shape('needs', '◆')} Not what they were when it ` +
          `was approved: ${changedFiles.map(oneLine).join(', ')}\n`,
      )
  })
}
