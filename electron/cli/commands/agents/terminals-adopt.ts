import type { Command } from 'commander'
import type { AdoptablePane } from '../../../../shared/setup/adopting.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { tmuxSocketOf } from '../../launch/detect-place.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { tilde, type Words } from '../../output/print.ts'

export function addAdopt(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'adopt [pane]',
    hereOnly: true,
    takes: ['id of the pane in tmux, such as %3'],
    summary: 'make an agent known that runs in tmux already',
    description:
      'Registers a tmux pane in which you started an agent without ' +
      'Onward, so that Onward shows it and may type there. ' +
      'Without a pane: lists what can be adopted, on your default tmux server, the one of this terminal, and those ' +
      'that Onward knows.',
    options: [['--socket <path>', 'tmux server, where several have a pane of this id']],
    examples: [
      ['onward terminals adopt', 'what can be adopted'],
      ['onward terminals adopt %3', 'this one'],
    ],
    async ask(calls, [wanted, { socket }]: [string | undefined, { socket?: string }]) {
      const sockets = [socket, tmuxSocketOf(cli.env)].filter((path) => path !== undefined && path !== null)
      const all = await calls.adoptablePanes.query({ sockets })
      const panes = all.filter((pane) => socket === undefined || pane.socket === socket)
      if (wanted === undefined) return { panes }
      const { socket: at, paneId, pid } = theOne(panes, wanted)
      return { adopted: await calls.adoptPane.mutate({ socket: at, paneId, pid }), paneId }
    },
    json: (found) => found.adopted ?? found.panes,
    say: ({ panes, adopted, paneId }, words) =>
      adopted
        ? `${words.style.shape('working', '●')} Adopted ${adopted.client} in ` +
          `${oneLine(adopted.name)} ${paneId} ${words.style.quiet(adopted.id)}\n`
        : paneRows(panes ?? [], words, cli.env.HOME),
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

function paneRows(panes: readonly AdoptablePane[], { style, columns }: Words, home: string | undefined): string {
  if (panes.length === 0)
    return (
      'No agent runs in tmux that Onward does not know. Is it on another ' +
      'tmux server? Call this from there, or name it with --socket.\n'
    )
  const several = new Set(panes.map(({ socket }) => socket)).size > 1
  return rows(
    panes,
    [
      { text: (p) => p.paneId, paint: style.strong },
      { text: (p) => p.client },
      { text: (p) => p.tmuxSession, gives: 10, most: 40 },
      { text: (p) => (p.cwd === null ? '' : tilde(p.cwd, home)), gives: 10, paint: style.quiet },
      { text: (p) => (several ? p.socket : ''), gives: 12, paint: style.quiet },
    ],
    columns,
  )
}
