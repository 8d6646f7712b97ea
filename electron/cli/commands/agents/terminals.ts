import { resolve } from 'node:path'
import type { Command } from 'commander'
import { shapeGlyphs, type Sentences } from '../../../../shared/sentences/index.ts'
import type { AdoptablePane } from '../../../../shared/setup/adopting.ts'
import type { TerminalView } from '../../../../shared/state.ts'
import { clientKinds, type ClientKind, type SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { tmuxSocketOf } from '../../launch/detect-place.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { tilde, type Words } from '../../output/print.ts'
import { personsEnvironment } from '../../launch/environment.ts'
import { engineOf } from '../../place.ts'

/**
 * An agent that can't start ends within this time (milliseconds): its screen is not seen, so the reason is printed
 * here.
 */
const WATCH_MS = 1_500

export function addTerminals(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'terminals',
    summary: 'where agents run; open, adopt, close, rename, screen',
    description: 'Terminals that Onward knows: tmux panes, its own, and those of `onward claude` and the like.',
    examples: [
      ['onward terminals', 'the list'],
      ['onward terminals open codex', 'a new one inside Onward'],
      ['onward terminals open other -- htop', 'with any command'],
      ['onward terminals adopt', 'agents in tmux that were started without Onward'],
      ['onward terminals rename term_1 billing', 'a name of your own'],
    ],
    ask: (calls) => calls.terminals.query(),
    tell: (terminals, { sentences, ...words }) =>
      terminals.length === 0
        ? `No terminal yet. Start an agent in this one: ${cli.command()} claude, or ${cli.command()} codex.\n`
        : terminalRows(terminals, words, sentences, cli.env.HOME),
  })
  addOpen(command, cli)
  addAdopt(command, cli)
}

function terminalRows(
  terminals: readonly TerminalView[],
  { style, columns }: Words,
  sentences: Sentences,
  home: string | undefined,
): string {
  const shapeOf = (t: TerminalView): SessionShape => (!t.alive ? 'gone' : t.hold ? 'held' : 'idle')
  return rows(
    terminals,
    [
      { text: (t) => shapeGlyphs[shapeOf(t)], paint: (text, t) => style.shape(shapeOf(t), text), tight: true },
      { text: (t) => t.id, paint: style.quiet },
      { text: (t) => t.client },
      { text: (t) => t.name, paint: style.strong, gives: 10, most: 40 },
      {
        text: (t) => (t.pane ? `tmux ${t.pane.paneId}` : places[t.home]),
        paint: style.quiet,
      },
      { text: (t) => (t.cwd === null ? '' : tilde(t.cwd, home)), gives: 10, paint: style.quiet },
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

const places = { hosted: 'in Onward', wrapped: 'own window', pane: 'tmux', acp: 'editor (ACP)' } as const

function addOpen(parent: Command, cli: Cli): void {
  const command = engineCommand(parent, cli, {
    usage: 'open <client> [args...]',
    takes: [['what runs in it', clientKinds], 'arguments of the agent; the whole command for `other`'],
    summary: 'a new terminal inside Onward',
    description: 'Opens a terminal that lives in Onward: it survives this window, and the dashboard shows it.',
    options: [
      ['--cwd <dir>', 'folder to start in (default: this one; with --on your home there)'],
      ['--name <name>', 'name in the lists'],
    ],
    examples: [
      ['onward terminals open codex', 'Codex, in this folder'],
      ['onward terminals open other -- bash -l', 'a shell'],
    ],
    input(client: ClientKind, words: readonly string[], { cwd, name }: { cwd?: string; name?: string }) {
      const args = words[0] === '--' ? words.slice(1) : [...words]
      if (client === 'other' && args.length === 0)
        throw new CliError('usage', '`terminals open other` needs a command: onward terminals open other -- htop')
      const { machine } = engineOf(command, cli)
      if (machine && cwd !== undefined && !cwd.startsWith('/'))
        throw new CliError('usage', `--cwd is a folder on ${machine.name}: write it from / on.`)
      const here = machine ? { cwd } : { cwd: resolve(cli.cwd, cwd ?? '.'), env: personsEnvironment(cli.env) }
      return { client, args, ...here, name, watchMs: WATCH_MS }
    },
    ask: (calls, input) => calls.openTerminal.mutate(input),
    say: ({ name, id }, { style }) => `${style.shape('working', '●')} Opened ${oneLine(name)} ${style.quiet(id)}\n`,
  })
  command.passThroughOptions().allowUnknownOption()
}

function addAdopt(parent: Command, cli: Cli): void {
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
