import type { Command } from 'commander'
import type { AdoptablePane } from '../../../../shared/setup/adopting.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { tmuxSocketOf } from '../../launch/detect-place.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { printJson, tilde, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addAdopt(parent: Command, cli: Cli): void {
  const command = parent
    .command('adopt')
    .summary('make an agent known that runs in tmux already')
    .description(
      'Registers a tmux pane in which you started an agent without ' +
        'Onward, so that Onward shows it and may type there. ' +
        'Without a pane: lists what can be adopted, on your default tmux server, the one of this terminal, and those ' +
        'that Onward knows.',
    )
    .argument('[pane]', 'id of the pane in tmux, such as %3')
    .option('--socket <path>', 'tmux server, where several have a pane of this id')
  examples(withCommon(command), [
    ['onward terminals adopt', 'what can be adopted'],
    ['onward terminals adopt %3', 'this one'],
  ])
  command.action(async (wanted: string | undefined) => {
    const { socket } = command.opts<{ socket?: string }>()
    const own = tmuxSocketOf(cli.env)
    const sockets = [socket, own].filter((path) => path !== undefined && path !== null)
    await withEngine(placeOf(command, cli), async (calls) => {
      const panes = (await calls.adoptablePanes.query({ sockets })).filter(
        (pane) => socket === undefined || pane.socket === socket,
      )
      if (wanted === undefined) return wantsJson(command) ? printJson(cli, panes) : cli.out(paneRows(panes, cli))
      const { socket: at, paneId, pid } = theOne(panes, wanted)
      const terminal = await calls.adoptPane.mutate({ socket: at, paneId, pid })
      if (wantsJson(command)) return printJson(cli, terminal)
      const { style } = wordsOf(cli)
      cli.out(
        `${style.shape('working', '●')} Adopted ${terminal.client} in ` +
          `${oneLine(terminal.name)} ${paneId} ${style.quiet(terminal.id)}\n`,
      )
    })
  })
}

/** @throws CliError `notFound` where none or several are meant */
function theOne(panes: readonly AdoptablePane[], wanted: string): AdoptablePane {
  const meant = panes.filter(({ paneId }) => paneId === wanted)
  const [pane] = meant
  if (pane && meant.length === 1) return pane
  if (pane)
    throw new CliError('notFound', `Several tmux servers have a pane ${wanted}.`, {
      hint: `Say which one: ${meant.map((one) => `--socket ${one.socket}`).join(', or ')}`,
    })
  throw new CliError('notFound', `No pane ${oneLine(wanted)} has an agent that could be adopted.`, {
    hint: '`onward terminals adopt` lists those that can; `onward terminals` those that are known.',
  })
}

function paneRows(panes: readonly AdoptablePane[], cli: Cli): string {
  if (panes.length === 0)
    return (
      'No agent runs in tmux that Onward does not know. Is it on another ' +
      'tmux server? Call this from there, or name it with --socket.\n'
    )
  const { style, columns } = wordsOf(cli)
  const several = new Set(panes.map(({ socket }) => socket)).size > 1
  return rows(
    panes,
    [
      { text: (p) => p.paneId, paint: style.strong },
      { text: (p) => p.client },
      { text: (p) => p.tmuxSession, gives: 10, most: 40 },
      { text: (p) => (p.cwd === null ? '' : tilde(p.cwd, cli.env.HOME)), gives: 10, paint: style.quiet },
      { text: (p) => (several ? p.socket : ''), gives: 12, paint: style.quiet },
    ],
    columns,
  )
}
