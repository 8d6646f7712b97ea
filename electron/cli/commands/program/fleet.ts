import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { FleetState, FleetView } from '../../../../shared/fleet.ts'
import type { MachineView } from '../../../../shared/machines.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand, type EngineCommand, type TellingInWords } from '../../command.ts'
import { oneLine } from '../../output/clean.ts'
import { facts, rows } from '../../output/columns.ts'

interface JoinOptions {
  name?: string
  as?: string
  domain?: string
  creds?: string
  ca?: string
  cert?: string
  key?: string
  texts?: boolean
}

/** what `fleet` and `fleet status` show */
const showing: Pick<EngineCommand<FleetView | null, unknown>, 'ask' | 'tell'> = {
  ask: (calls) => calls.fleet.query(),
  tell: (view, telling) => (view ? fleetText(view, telling) : 'No fleet is joined here.\n'),
}

export function addFleet(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    ...showing,
    usage: 'fleet',
    summary: 'engines that meet at a NATS hub: join, status, list, leave',
    description:
      'Engines that connect outwards to a NATS hub and find each other there. `--on` takes the name of one, as it ' +
      'does of a machine; a message or an alarm for one that is away waits at the hub. Nobody sees texts of ' +
      'conversations there unless the engine allows it.',
    examples: [
      ['onward fleet join nats://hub:4222 --creds ~/hub.creds', 'on each engine'],
      ['onward --on gpu status', 'any command that a phone could ask'],
      ['onward sessions --everywhere', 'those of the whole fleet'],
    ],
  })
  addJoin(command, cli)
  engineCommand(command, cli, {
    ...showing,
    usage: 'status',
    summary: 'the fleet that this engine joined, and whether the hub answers',
    description: 'Shows the hub, the name of this engine there, and since when it is connected or why it is not.',
    examples: [['onward fleet status --json', 'for scripts']],
  })
  engineCommand(command, cli, {
    usage: 'list',
    summary: 'the other engines of the fleet',
    description: 'Lists the engines of the fleet, with their versions and how many sessions each has.',
    examples: [["onward fleet list --json | jq '.[].name'", 'their names']],
    ask: (calls) => calls.fleetEngines.query(),
    tell: (engines, telling) =>
      engines.length > 0 ? enginesText(engines, telling) : 'No other engine is in this fleet so far.\n',
  })
  engineCommand(command, cli, {
    usage: 'leave',
    summary: 'take this engine out of its fleet',
    description: 'Leaves the fleet: the hub forgets this engine. A policy of the fleet holds on.',
    examples: [['onward fleet leave', 'its agents go on']],
    ask: (calls) => calls.leaveFleet.mutate(),
    json: () => ({ left: true }),
    say: () => 'This engine is in no fleet any more.\n',
  })
}

function addJoin(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'join <hub>',
    takes: ['nats://host:port; tls:// for TLS. Never with a login in it'],
    summary: 'connect this engine to a hub',
    description: 'Tries the hub, and joins where it answers. The config keeps the paths of files, never their content.',
    options: [
      ['--creds <file>', 'credentials, or the seed of an nkey; others must not be able to read it'],
      ['--name <fleet>', 'which fleet, where several share the hub'],
      ['--as <engine>', 'what this engine is called; default: the host’s name'],
      ['--domain <domain>', 'of the hub’s JetStream, for an engine at a leaf node'],
      ['--ca <file>', 'who vouches for the hub, in PEM'],
      ['--cert <file>', 'a certificate to show to it, in PEM'],
      ['--key <file>', 'its key'],
      ['--texts', 'with texts of conversations'],
    ],
    examples: [
      ['onward fleet join nats://hub:4222 --creds ~/hub.creds', 'as the host is called'],
      ['onward fleet join tls://hub:4222 --creds ~/hub.creds --ca ~/hub-ca.pem --as gpu', 'over TLS'],
    ],
    input(url: string, { as, creds, ca, cert, key, ...rest }: JoinOptions) {
      const whole = (path: string | undefined) => path && resolve(cli.cwd, path)
      const given = { url, ...rest, engine: as, creds: whole(creds), ca: whole(ca), cert: whole(cert), key: whole(key) }
      return Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) as typeof given
    },
    ask: (calls, input) => calls.joinFleet.mutate(input),
    tell: (view, telling) => fleetText(view, telling),
  })
}

function fleetText({ url, name, engine, state, texts, policy }: FleetView, telling: TellingInWords): string {
  const { style } = telling
  return (
    `${stateText(name, state, telling)}` +
    facts(
      [
        ['Hub', url],
        ['This engine', engine],
        ['Texts', texts ? 'conversations are seen by the fleet' : 'stay here'],
        ...(policy ? [['Policy', 'of the fleet: `onward config` shows it'] as const] : []),
      ],
      style.quiet,
    )
  )
}

function stateText(name: string, state: FleetState, { style, sentences }: TellingInWords): string {
  const shown = style.strong(oneLine(name))
  if (state.kind === 'there') return `${style.shape('working', '●')} ${shown} connected\n`
  if (state.kind === 'connecting') return `${style.shape('gone', '◌')} ${shown} has not answered yet\n`
  const since = sentences.figures.minute(state.since)
  return `${style.shape('gone', '◌')} ${shown} away since ${since}: ${oneLine(state.why.message)}\n`
}

function enginesText(engines: readonly MachineView[], { style, sentences, columns }: TellingInWords): string {
  return rows<MachineView>(
    engines,
    [
      { text: ({ state }) => (state.kind === 'there' ? '●' : '◌'), tight: true },
      { text: ({ name }) => name, paint: style.strong },
      {
        text: ({ state }) =>
          state.kind === 'there'
            ? state.version
            : state.kind === 'away'
              ? `away since ${sentences.figures.minute(state.since)}`
              : '',
        paint: style.quiet,
      },
      {
        text: ({ sessions }) => `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}`,
        align: 'right',
      },
    ],
    columns,
  )
}
