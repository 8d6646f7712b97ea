import { InvalidArgumentError, Option, type Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { deviceRights, usualRights, type DeviceRight, type DeviceView } from '../../../../shared/devices.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { rows } from '../../output/columns.ts'

export function addPhone(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'phone',
    summary: 'phones that may look and answer; pair, rename, revoke',
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
}

function addPair(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'pair',
    summary: 'a code that pairs one phone',
    description:
      'Prints a link, and as a QR code, that pairs one browser, once, within five minutes. ' +
      'The phone has to reach this address: over SSH, say, with `ssh -L`.',
    options: [
      new Option('--rights <rights>', `what it may do: ${deviceRights.join(', ')}`)
        .default(usualRights, usualRights.join(','))
        .argParser(rightsOf),
    ],
    examples: [
      ['onward phone pair', 'it may look and answer'],
      ['onward phone pair --rights look', 'it may only look'],
      ['onward phone pair --rights answer,say,arm', 'it may do all that a phone can'],
    ],
    ask: (calls, [{ rights }]: [{ rights: readonly DeviceRight[] }]) =>
      calls.newPairing.mutate({ rights: [...rights] }),
    say: ({ url, rights }, { style }) =>
      `${url}\n` +
      (cli.tty.out
        ? `\n${renderUnicodeCompact(url, { border: 2 })}\n\n` +
          `It may ${rights.join(', ')}. ${style.quiet('Good for one phone, once, for five minutes.')}\n`
        : ''),
  })
}

function rightsOf(text: string): DeviceRight[] {
  return text.split(',').map((word) => {
    const right = deviceRights.find((one) => one === word.trim())
    if (!right) throw new InvalidArgumentError(`Rights are ${deviceRights.join(', ')}, with commas between.`)
    return right
  })
}
