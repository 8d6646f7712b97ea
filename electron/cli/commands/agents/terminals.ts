import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { shapeGlyphs, type Sentences } from '../../../../shared/sentences/index.ts'
import type { TerminalView } from '../../../../shared/state.ts'
import { clientKinds, type ClientKind, type SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { printJson, tilde, wordsOf } from '../../output/print.ts'
import { personsEnvironment } from '../../launch/environment.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { addAdopt } from './terminals-adopt.ts'

/**
 * An agent that can't start ends within this time (milliseconds): its screen is not seen, so the reason is printed
 * here.
 */
const WATCH_MS = 1_500

export function addTerminals(program: Command, cli: Cli): void {
  const command = program
    .command('terminals')
    .summary('where agents run; open, adopt, close, rename, screen')
    .description('Terminals that Onward knows: tmux panes, its own, and those of `onward claude` and the like.')
  examples(withCommon(command), [
    ['onward terminals', 'the list'],
    ['onward terminals open codex', 'a new one inside Onward'],
    ['onward terminals open other -- htop', 'with any command'],
    ['onward terminals adopt', 'agents in tmux that were started without Onward'],
    ['onward terminals rename term_1 billing', 'a name of your own'],
  ])
  command.action(async () => {
    const [terminals, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.terminals.query(), calls.status.query()]),
    )
    if (wantsJson(command)) return printJson(cli, terminals)
    if (terminals.length === 0)
      return cli.out(
        `No terminal yet. Start an agent in this one: ${cli.command()} claude, or ${cli.command()} codex.\n`,
      )
    cli.out(terminalRows(terminals, cli, await cli.parts.sentencesOf(status.language)))
  })
  addOpen(command, cli)
  addAdopt(command, cli)
  addClose(command, cli)
  addRename(command, cli)
  addScreen(command, cli)
}

function terminalRows(terminals: readonly TerminalView[], cli: Cli, sentences: Sentences): string {
  const { style, columns } = wordsOf(cli)
  const shapeOf = (t: TerminalView): SessionShape => (!t.alive ? 'gone' : t.hold ? 'held' : 'idle')
  return rows(
    terminals,
    [
      { text: (t) => shapeGlyphs[shapeOf(t)], paint: (text, t) => style.shape(shapeOf(t), text), tight: true },
      { text: (t) => t.id, paint: style.quiet },
      { text: (t) => t.client },
      { text: (t) => t.name, paint: style.strong, gives: 10, most: 40 },
      {
        text: (t) => (t.pane ? `tmux ${t.pane.paneId}` : t.home === 'hosted' ? 'in Onward' : 'own window'),
        paint: style.quiet,
      },
      { text: (t) => (t.cwd === null ? '' : tilde(t.cwd, cli.env.HOME)), gives: 10, paint: style.quiet },
      {
        text: (t) =>
          !t.alive
            ? t.exitCode === null
              ? 'ended'
              : `ended with ${t.exitCode}`
            : t.hold
              ? sentences.hold(t.hold)
              : '',
        gives: 12,
      },
    ],
    columns,
  )
}

function addOpen(parent: Command, cli: Cli): void {
  const command = parent
    .command('open')
    .summary('a new terminal inside Onward')
    .description('Opens a terminal that lives in Onward: it survives this window, and the dashboard shows it.')
    .addArgument(new Argument('<client>', 'what runs in it').choices(clientKinds))
    .argument('[args...]', 'arguments of the agent; the whole command for `other`')
    .option('--cwd <dir>', 'folder to start in (default: this one)')
    .option('--name <name>', 'name in the lists')
    .passThroughOptions()
    .allowUnknownOption()
  examples(withCommon(command), [
    ['onward terminals open codex', 'Codex, in this folder'],
    ['onward terminals open other -- bash -l', 'a shell'],
  ])
  command.action(async (client: ClientKind, words: string[]) => {
    const args = words[0] === '--' ? words.slice(1) : words
    if (client === 'other' && args.length === 0)
      throw new CliError('usage', '`terminals open other` needs a command: onward terminals open other -- htop')
    const { cwd, name } = command.opts<{ cwd?: string; name?: string }>()
    const view = await withEngine(placeOf(command, cli), (calls) =>
      calls.openTerminal.mutate({
        client,
        args,
        cwd: resolve(cli.cwd, cwd ?? '.'),
        name,
        env: personsEnvironment(cli.env),
        watchMs: WATCH_MS,
      }),
    )
    if (wantsJson(command)) return printJson(cli, view)
    cli.out(
      `${wordsOf(cli).style.shape('working', '●')} Opened ${oneLine(view.name)} ${wordsOf(cli).style.quiet(view.id)}\n`,
    )
  })
}

function addClose(parent: Command, cli: Cli): void {
  const command = parent
    .command('close')
    .summary('end a terminal of Onward')
    .description('Closes a terminal that lives in Onward, and the agent in it. Others are only forgotten.')
    .argument('<terminal>', 'its id')
  withCommon(command).action(async (terminal: string) => {
    await withEngine(placeOf(command, cli), (calls) => calls.closeTerminal.mutate(terminal))
    if (wantsJson(command)) return printJson(cli, { closed: terminal })
    cli.out(`Closed ${oneLine(terminal)}.\n`)
  })
}

function addRename(parent: Command, cli: Cli): void {
  const command = parent
    .command('rename')
    .summary('give a terminal a name')
    .description('Gives a terminal a name of your own.')
    .argument('<terminal>', 'its id')
    .argument('<name>', 'the new name')
  withCommon(command).action(async (terminal: string, name: string) => {
    await withEngine(placeOf(command, cli), (calls) => calls.renameTerminal.mutate({ terminalId: terminal, name }))
    if (wantsJson(command)) return printJson(cli, { renamed: terminal, name })
    cli.out(`${oneLine(terminal)} is now called ${oneLine(name)}.\n`)
  })
}

function addScreen(parent: Command, cli: Cli): void {
  const command = parent
    .command('screen')
    .summary('its screen without your texts, for a report')
    .description(
      'Prints what a terminal shows in a form that can be sent to Onward’s maintainers: ' +
        'every letter is an x, every digit a 9; signs, colours and layout stay.',
    )
    .argument('<terminal>', 'its id')
  examples(withCommon(command), [['onward terminals screen term_1 > screen.txt', 'into a file']])
  command.action(async (terminal: string) => {
    const report = await withEngine(placeOf(command, cli), (calls) => calls.reportScreen.query(terminal))
    if (wantsJson(command)) return printJson(cli, { terminal, report })
    cli.out(report)
  })
}
