/** Parts that the commands of the service share. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit.ts'
import { placeOf } from '../../place.ts'
import { managerOf } from '../../service/manager.ts'
import { serviceSpec } from '../../service/spec.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from '../../service/types.ts'

export interface ServicePlace {
  spec: ServiceSpec
  on: { manager: ServiceManager; system: ServiceSystem }
}

export interface ServiceOptions {
  yes?: boolean
  dryRun?: boolean
  force?: boolean
}

export const withAsking = (command: Command): Command =>
  command
    .option('--yes', 'without asking')
    .option('--dry-run', 'show it, and do nothing')
    .option('--force', 'also a file that is not Onward’s, or was changed by hand; a copy is kept')

export async function servicePlace(command: Command, cli: Cli): Promise<ServicePlace> {
  const place = placeOf(command, cli)
  const system = await cli.parts.serviceSystem()
  const manager = managerOf(system)
  return { spec: await serviceSpec(place, cli, system), on: { manager, system } }
}

/** true: go on. @throws CliError where no person can be asked */
export function agreed(question: string, { yes }: ServiceOptions, cli: Cli, json: boolean): boolean {
  if (yes) return true
  if (json || !cli.tty.in || !cli.tty.err)
    throw new CliError('refused', 'Nothing is written or run without a word of yours.', {
      code: 'needs-person',
      hint: 'Answer at a terminal, or say it with --yes. What would be done: --dry-run.',
    })
  return cli.askYesNo(`${question} [y/N] `)
}
