import { type Command, Option } from 'commander'
import { joinCommand } from '../../../../shared/commands/join-command.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { argvText } from '../../output/argv-text.ts'
import { oneLine } from '../../output/clean.ts'
import { confirmTyped } from '../../person.ts'
import { engineOf } from '../../place.ts'
import { addApprove, addForget, needsPerson, notConfirmed, runsAs, shown, tell, withFolder } from './checks-approve.ts'
import { checkNamed, checksText, whichCheck, whichSession } from './checks-text.ts'

export function addChecks(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'checks <session>',
    takes: [whichSession],
    summary: 'what has to pass before a goal is reached',
    description:
      'Declared checks of the folder the session’s agent works in: programs of .onward.json and ' +
      'those you added. Each runs only once a person approved it, for exactly this folder and ' +
      'these words.\n\nShapes: ✓ passed, ▲ failed, ○ never ran, ◆ needs your approval, ● running',
    examples: [
      ['onward checks billing', 'the list'],
      ['onward checks run billing tests', 'run one now'],
      ['onward checks add billing --name tests -- npm test', 'one of your own; asks you to confirm'],
      ['onward checks approve billing tests', 'one of .onward.json; asks you to confirm'],
    ],
    ask: (calls, [session]: [string]) => calls.checks.query(session),
    tell: (checks, { sentences }) => checksText(checks, sentences, cli),
  })
  addRun(command, cli)
  addAdd(command, cli)
  addApprove(command, cli)
  addForget(command, cli)
}

function addRun(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'run <session> <name>',
    takes: [whichSession, whichCheck],
    summary: 'run one now',
    description: 'Runs an approved check now, and says how it went. Ends with 1 where it does not pass.',
    examples: [
      ['onward checks run billing tests', 'now'],
      ['onward checks run billing tests && git push', 'only when it passes'],
    ],
    async ask(calls, [session, name]: [string, string]) {
      const { last: run, changedFiles } = checkNamed(await calls.runCheck.mutate({ session, name }), name)
      if (run === null) throw new CliError('failed', `The check “${oneLine(name)}” has not run.`)
      return { run, changedFiles }
    },
    failed: ({ run }) => run.outcome !== 'passed',
    json: ({ run }) => run,
    tell({ run, changedFiles }, { style, sentences }) {
      const shape = run.outcome === 'passed' ? style.shape('done', '✓') : style.shape('failed', '▲')
      const ran = `${shape} ${oneLine(sentences.checkRan(run))} ${style.quiet(sentences.figures.took(run.ms))}\n`
      if (changedFiles.length === 0) return ran
      const files = changedFiles.map(oneLine).join(', ')
      return `${ran}${style.shape('needs', '◆')} Not what they were when it was approved: ${files}\n`
    },
  })
}

function addAdd(parent: Command, cli: Cli): void {
  const command = parent
    .command('add')
    .summary('one of your own; asks you to confirm')
    .description(
      'Declares a check for the session’s folder and approves it. No shell reads its words: for pipes ' +
        'and the like write a script and name that. It needs a terminal; there is no option that says yes.',
    )
    .argument('<session>', whichSession)
    .argument('[argv...]', 'the program and its arguments, after --')
    .option('--name <name>', 'what it is called; else its words say it')
    .addOption(new Option('--timeout <seconds>', 'it is ended after so long').argParser(parseSeconds))
  examples(withCommon(command), [
    ['onward checks add billing --name tests -- npm test', 'asks, then it has to pass'],
    ['onward checks add billing --timeout 1800 -- ./scripts/e2e.sh', 'a script that takes long'],
  ])
  command.action(async (session: string, argv: readonly string[]) => {
    if (argv.length === 0) throw new CliError('usage', 'Which program? onward checks add <session> -- npm test')
    const { name, timeout } = command.opts<{ name?: string; timeout?: number }>()
    needsPerson(cli, 'Adding a check')
    await withEngine(engineOf(command, cli), async (calls) => {
      const { folder, checks } = await withFolder(calls, session)
      shown(cli, [
        ['Folder', folder],
        ['Runs', argvText(argv)],
      ])
      confirmTyped(
        cli,
        name === undefined ? `${runsAs}\nType yes: ` : `${runsAs}\nType ${name}, or yes: `,
        name === undefined ? ['yes'] : [name.trim(), 'yes'],
        notConfirmed,
      )
      const after = await calls.declareCheck.mutate({
        session,
        name,
        command: joinCommand(argv),
        timeoutSeconds: timeout,
      })
      const known = new Set(checks.map((check) => check.name))
      const added = after.checks.find((check) => !known.has(check.name))
      // The engine reads a line, the person confirmed words: a check the engine read otherwise may not stay approved.
      if (added && !sameWords(added.argv, argv)) {
        await calls.forgetCheck.mutate({ session, name: added.name })
        throw new CliError(
          'failed',
          `The engine read other words than these: ${argvText(added.argv)}. Nothing was added.`,
        )
      }
      await tell(command, cli, calls, after)
    })
  })
}

const sameWords = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((word, i) => word === others[i])

function parseSeconds(text: string): number {
  const seconds = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : NaN
  if (!(seconds <= 7_200)) throw new CliError('usage', `--timeout takes seconds from 1 to 7200, not “${text}”.`)
  return seconds
}
