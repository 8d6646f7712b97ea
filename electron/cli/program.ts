/** The command tree. One file per command; here only their order in `--help`. */
import { Command, type Argument } from 'commander'
import type { Cli } from './cli.ts'
import { addAgents } from './commands/agents/agents.ts'
import { addAlarm } from './commands/alarms/alarm.ts'
import { addBudgets } from './commands/settings/budgets.ts'
import { addCapture } from './commands/sessions/capture.ts'
import { addChecks } from './commands/sessions/checks.ts'
import { addCompletion } from './commands/program/completion.ts'
import { addConfig } from './commands/settings/config.ts'
import { addCost } from './commands/sessions/cost.ts'
import { addDoctor } from './commands/program/doctor.ts'
import { addDashboard } from './commands/program/dashboard.ts'
import { addLogs } from './commands/program/logs.ts'
import { addMarkers } from './commands/sessions/markers.ts'
import { addNotify } from './commands/settings/notify.ts'
import { addPause, addResume } from './commands/sessions/pause.ts'
import { addProviders } from './commands/settings/providers.ts'
import { addRegister } from './commands/agents/register.ts'
import { addRoute } from './commands/settings/route.ts'
import { addResumeAtReset } from './commands/sessions/resume-at-reset.ts'
import { addRounds } from './commands/sessions/rounds.ts'
import { addRun } from './commands/agents/run.ts'
import { addSay } from './commands/sessions/say.ts'
import { addServe } from './commands/program/serve.ts'
import { addService } from './commands/program/service.ts'
import { addSessions } from './commands/sessions/sessions.ts'
import { addSetup } from './commands/agents/setup.ts'
import { addStart } from './commands/program/start.ts'
import { addStatus } from './commands/sessions/status.ts'
import { addStopMessage } from './commands/sessions/stop-message.ts'
import { addTerminals } from './commands/agents/terminals.ts'
import { addTools } from './commands/settings/tools.ts'
import { addTurns } from './commands/sessions/turns.ts'
import { addUninstall } from './commands/program/uninstall.ts'
import { addUpdate } from './commands/program/update.ts'
import { withCommon } from './common.ts'
import { exitCodes } from './exit.ts'

const groups: readonly (readonly [heading: string, add: readonly ((program: Command, cli: Cli) => void)[]])[] = [
  ['Agents:', [addAgents, addRun, addRegister, addTerminals]],
  [
    'Sessions:',
    [
      addStatus,
      addSessions,
      addSay,
      addStopMessage,
      addRounds,
      addChecks,
      addMarkers,
      addAlarm,
      addPause,
      addResume,
      addResumeAtReset,
      addTurns,
      addCost,
      addCapture,
    ],
  ],
  [
    'Onward:',
    [
      addStart,
      addSetup,
      addServe,
      addService,
      addDashboard,
      addProviders,
      addRoute,
      addBudgets,
      addTools,
      addNotify,
      addConfig,
      addDoctor,
      addUpdate,
      addLogs,
      addCompletion,
      addUninstall,
    ],
  ],
]

export function createProgram(cli: Cli): Command {
  const program = new Command('onward')
    .description('Keeps coding agents going: types the next message when a turn ends.')
    .usage('[command] [options]')
    .version(cli.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError('Run it with --help to see how it works.')
    .exitOverride()
    .configureHelp({
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(humanReadableArgument)].join(' '),
    })
    .configureOutput({
      writeOut: (text) => cli.out(text),
      writeErr: (text) => cli.err(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'onward: ')),
      getOutHelpWidth: () => (cli.tty.out ? cli.tty.columns : 100),
      getErrHelpWidth: () => (cli.tty.err ? cli.tty.columns : 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  withCommon(program)
  for (const [heading, adds] of groups) {
    program.commandsGroup(heading)
    for (const add of adds) add(program, cli)
  }
  return program.addHelpText(
    'after',
    `\nEvery command has --help with examples. Without a command: onward start.\n\nExit codes:\n${exitCodeTable()}`,
  )
}

/** As commander writes them; `[options]`, which every command has, is left out. */
function humanReadableArgument(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

const exitCodeTable = (): string =>
  Object.values(exitCodes)
    .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
    .join('\n')
