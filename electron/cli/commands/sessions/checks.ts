import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { addAdd } from './checks-add.ts'
import { addApprove, addForget } from './checks-approve.ts'
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
