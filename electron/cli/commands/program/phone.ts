import { Option, type Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import {
  deviceRights,
  usualRights,
  type DeviceRight,
  type DeviceView,
  type PhoneWays,
} from '../../../../shared/devices.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'

export function addPhone(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'phone',
    summary: 'phones that may look and answer; pair, rights, rename, revoke',
    description: 'Lists the paired devices: what each may do, and when it was last here.',
    examples: [
      ['onward phone', 'the list'],
      ['onward phone pair', 'a code for one phone'],
      ['onward phone revoke iPhone', 'when it is lost'],
    ],
    ask: (calls) => calls.devices.query(),
    tell: (devices, { style, columns, sentences, now }) =>
      devices.length === 0
        ? `No device is paired. Make a code for one: ${cli.command()} phone pair\n`
        : rows<DeviceView>(
            devices,
            [
              { text: ({ here }) => (here ? '●' : '○'), tight: true },
              { text: ({ name }) => name, paint: style.strong, gives: 10, most: 40 },
              { text: ({ rights }) => rights.join(' ') },
              { text: ({ id }) => id.slice(0, 8), paint: style.quiet },
              {
                text: ({ here, seenAt }) => (here ? 'connected' : `last seen ${sentences.figures.ago(now - seenAt)}`),
                paint: style.quiet,
              },
            ],
            columns,
          ),
  })
  addPair(command, cli)
  addRights(command, cli)
  addClose(command, cli)
}

function addPair(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'pair',
    summary: 'a code that pairs one phone',
    description:
      'Prints a link, and as a QR code, that pairs one browser, once, within five minutes. With --at a port for ' +
      'phones is opened at an address of this machine, and stays open until `onward phone close`. Without one a ' +
      'phone comes over SSH. With --at tailscale its certificate is one that Tailscale gets, which browsers trust; ' +
      'this machine’s name then stands in public certificate logs.',
    options: [
      [
        '--at <address>',
        'open the port there: an address of this machine in your network or WireGuard, or `tailscale`',
      ],
      new Option('--rights <rights>', `what it may do: ${deviceRights.join(', ')}`)
        .default(usualRights, usualRights.join(','))
        .argParser(rightsOf),
    ],
    examples: [
      ['onward phone pair', 'it may look and answer; says where a port could be opened'],
      ['onward phone pair --at 192.168.1.23', 'over this machine’s own network'],
      ['onward phone pair --at tailscale', 'over Tailscale, with a certificate that browsers trust'],
      ['onward phone pair --rights look', 'it may only look'],
      ['onward phone pair --rights answer,say,arm', 'it may do all that a phone can'],
    ],
    async ask(calls, [{ rights, at }]: [{ rights: readonly DeviceRight[]; at?: string }]) {
      if (at !== undefined) await calls.servePhonesAt.mutate(at)
      return calls.newPairing.mutate({ rights: [...rights] })
    },
    say: ({ url, rights, ways }, { style }) =>
      `${url}\n` +
      (cli.tty.out
        ? `\n${renderUnicodeCompact(url, { border: 2 })}\n\n` +
          `It may ${rights.join(', ')}. ${style.quiet('Good for one phone, once, for five minutes.')}\n${howTo(ways)}`
        : ''),
  })
}

function howTo({ listening, problem, addresses, tailscale, ssh }: PhoneWays): string {
  const trouble = problem === null ? '' : `${problem.said} (${problem.code})\n`
  if (listening?.fingerprint === null) return trouble
  if (listening)
    return (
      trouble +
      'The phone’s browser warns once: the certificate is this home’s own. Go on only if its SHA-256 fingerprint is\n' +
      `${listening.fingerprint}\n`
    )
  const places = [
    ...(tailscale === null ? [] : [`  onward phone pair --at tailscale   (${tailscale}, which browsers trust)\n`]),
    ...addresses.map(({ address, name, kind }) => `  onward phone pair --at ${address}   (${kind}, ${name})\n`),
  ]
  return (
    trouble +
    `No port is open for phones. Over SSH, on the phone: ${ssh}\n` +
    (places.length === 0 ? '' : `Or open one at an address of this machine:\n${places.join('')}`)
  )
}

function addRights(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'rights <device> <rights>',
    takes: ['its name, its id, or the beginning of it', `with commas between: ${deviceRights.join(', ')}`],
    summary: 'change what a device may do, at once',
    description:
      'Gives a paired device these rights and no other, also on connections that are open. It can always look.',
    examples: [
      ['onward phone rights iPhone look,answer,say', 'it may send messages, too'],
      ['onward phone rights iPhone look', 'it may only look'],
    ],
    input: (device: string, rights: string) => ({ device, rights: rightsOf(rights) }),
    ask: (calls, input) => calls.setDeviceRights.mutate(input),
    say: ({ name, rights }, { style }) => `${style.strong(oneLine(name))} may ${rights.join(', ')} now.\n`,
  })
}

function addClose(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'close',
    summary: 'close the port that is open for phones',
    description: 'Closes the port that `onward phone pair --at` opened. Devices stay paired, and come over SSH only.',
    ask: (calls) => calls.servePhonesAt.mutate(null),
    say: () => 'No port is open for phones.\n',
  })
}

function rightsOf(text: string): DeviceRight[] {
  return text.split(',').map((word) => {
    const right = deviceRights.find((one) => one === word.trim())
    if (!right) throw new CliError('usage', `Rights are ${deviceRights.join(', ')}, with commas between.`)
    return right
  })
}
