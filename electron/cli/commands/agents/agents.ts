/** `onward claude`, `onward codex` and the like: one entry each. */
import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import type { ClientKind } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { endLike } from '../../launch/ending.ts'
import { findProgram } from '../../launch/find-program.ts'
import { launch, type LaunchOrder } from '../../launch/launch.ts'
import { placeOf, type Place } from '../../place.ts'

export interface AgentEntry {
  client: Exclude<ClientKind, 'other'>
  program: string
  title: string
  install: string
  /** what it does not start without, and does not say (Kimi Code 2.1.0: a SyntaxError) */
  needs?: string
  example: string
}

export const agentEntries: readonly AgentEntry[] = [
  {
    client: 'claude',
    program: 'claude',
    title: 'Claude Code',
    install: 'Install it: npm install -g @anthropic-ai/claude-code',
    example: '--model sonnet',
  },
  {
    client: 'codex',
    program: 'codex',
    title: 'Codex',
    install: 'Install it: npm install -g @openai/codex',
    example: 'exec "fix the tests"',
  },
  {
    client: 'opencode',
    program: 'opencode',
    title: 'opencode',
    install: 'Install it: npm install -g opencode-ai',
    example: 'run "fix the tests"',
  },
  {
    client: 'gemini',
    program: 'gemini',
    title: 'Gemini CLI',
    install: 'Install it: npm install -g @google/gemini-cli',
    example: '-p "fix the tests"',
  },
  {
    client: 'qwen',
    program: 'qwen',
    title: 'Qwen Code',
    install: 'Install it: npm install -g @qwen-code/qwen-code',
    example: '-p "fix the tests"',
  },
  {
    client: 'copilot',
    program: 'copilot',
    title: 'GitHub Copilot CLI',
    install: 'Install it: npm install -g @github/copilot',
    example: '-p "fix the tests"',
  },
  {
    client: 'kimi',
    program: 'kimi',
    title: 'Kimi Code',
    install: 'Install it: npm install -g @moonshot-ai/kimi-code',
    needs: 'Node 22.19 or newer',
    example: '-p "fix the tests"',
  },
  {
    client: 'kilo',
    program: 'kilo',
    title: 'Kilo Code',
    install: 'Install it: npm install -g @kilocode/cli',
    example: 'run "fix the tests"',
  },
]

interface Options {
  tmux?: boolean
  direct?: boolean
  name?: string
  help?: boolean
}

/**
 * Options before the first word that isn't ours are Onward's, all the rest is the agent's: `--help` there is the
 * agent's own.
 */
export function passingThrough(command: Command): Command {
  return withCommon(
    command
      .passThroughOptions()
      .allowUnknownOption()
      .helpOption(false)
      .option('--tmux', 'in a new tmux session')
      .option('--name <name>', 'name in the lists')
      .option('--direct', 'start it without Onward when there is no engine')
      .option('-h, --help', 'this help; `-- --help` is the agent’s'),
  )
}

export function addAgents(program: Command, cli: Cli): void {
  for (const entry of agentEntries) {
    const command = passingThrough(
      program
        .command(entry.client)
        .summary(`start ${entry.title} here, kept going by Onward`)
        .description(
          `Starts ${entry.title} in this terminal, pointed at Onward for this process only. Nothing of its ` +
            `own settings is changed.\nEverything after Onward’s own options goes to ${entry.title} as it is.`,
        )
        .argument('[args...]', `for ${entry.title}`),
    )
    examples(command, [
      [`onward ${entry.client}`, 'here'],
      [`onward ${entry.client} ${entry.example}`, 'with its own arguments'],
      [`onward ${entry.client} --tmux`, 'in a tmux session'],
      [`onward ${entry.client} -- --help`, 'its own help'],
    ])
    command.action((args: string[]) => start(command, cli, { ...entry, args }))
  }
}

/** The same for every agent and for `run`. */
export async function start(
  command: Command,
  cli: Cli,
  what: Pick<LaunchOrder, 'client' | 'program' | 'args' | 'install' | 'needs' | 'acp'>,
): Promise<void> {
  const options = command.opts<Options>()
  if (options.help) return command.outputHelp()
  const place = placeOf(command, cli)
  if (options.tmux && !cli.env.TMUX) {
    const name = options.name === undefined ? [] : ['--name', options.name]
    const direct = options.direct ? ['--direct'] : []
    const words = [
      command.name(),
      ...name,
      ...direct,
      '--',
      ...(what.client === 'other' ? [what.program] : []),
      ...what.args,
    ]
    return cli.exitWith(await runInTmuxSession({ label: what.program, words, cwd: cli.cwd, place }, cli))
  }
  endLike(await launch({ ...what, cwd: cli.cwd, name: options.name, direct: options.direct === true, place }, cli), cli)
}

/**
 * Not secret, and needed to find the agent where the tmux server has an older environment. The key is fetched inside.
 */
const handedOver = ['PATH', 'ONWARD_HOME', 'ONWARD_PORT', 'NO_COLOR', 'LANG', 'LC_ALL', 'LC_CTYPE'] as const

/** To tmux a `;` at the end of an argument ends the command, unless a backslash stands before it (3.3a). */
const literal = (argument: string): string => argument.replace(/;$/, '\\;')

/** `--tmux`: a new tmux session with the launcher in it, which then finds itself in a pane. */
async function runInTmuxSession(
  order: { label: string; words: readonly string[]; cwd: string; place: Place },
  cli: Cli,
): Promise<number> {
  const tmux = await findProgram('tmux', cli)
  if (!tmux)
    throw new CliError('noProgram', 'tmux is not installed.', {
      hint: 'Install it (apt install tmux, brew install tmux), or leave --tmux out: Onward wraps the terminal itself.',
    })
  const env = handedOver.flatMap((name) => (cli.env[name] ? ['-e', `${name}=${cli.env[name]}`] : []))
  const port = order.place.port === null ? [] : ['--port', String(order.place.port)]
  const [command = '', ...rest] = order.words
  const session = `onward-${order.label.replace(/[^A-Za-z0-9_-]/g, '-')}-${process.pid}`
  // one argument each: tmux starts the command without a shell then
  const words = [...cli.self, command, '--home', order.place.home, ...port, ...rest]
  // The folder is the client's own: a value of `-c` is a format, and `#(…)` in a folder's name would be run.
  const result = spawnSync(tmux, ['new-session', '-s', session, ...env, '--', ...words].map(literal), {
    stdio: 'inherit',
    env: { ...cli.env },
    cwd: order.cwd,
  })
  if (result.error)
    throw new CliError('cannotRun', `tmux can’t be started: ${result.error.message}`, { cause: result.error })
  return result.status ?? 1
}
