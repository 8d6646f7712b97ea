import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { confirmedKey } from './confirmed-key.ts'

export function addHeader(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'collector-header <name>',
    takes: ['the header, as `authorization`'],
    summary: 'a header for the telemetry collector, from stdin',
    description:
      'Reads the value of a header for `telemetry.collector` from stdin, asks you to confirm, and keeps it where ' +
      'keys are kept. The config names it by `secretRef`.',
    examples: [['pass show otel | onward config collector-header authorization', '“Bearer …” as it is sent']],
    input: (name: string) => name,
    async ask(calls, name) {
      const hint = 'Write “${NAME}” in the config: it takes a variable of the engine’s environment.'
      const secret = await confirmedKey(cli, `the collector’s header “${name}”`, name, hint)
      await calls.saveCollectorHeader.mutate({ name, secret })
      return { name }
    },
    say: ({ name }, { style }) => `${style.shape('done', '✓')} ${name} is sent to the collector from now on.\n`,
  })
}
