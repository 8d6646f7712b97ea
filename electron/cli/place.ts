/** Which home and which port a command is about: option, else environment, else the default. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'

export interface Place {
  /** absolute */
  home: string
  /** null: as the config or the running engine says */
  port: number | null
}

interface CommonOptions {
  home?: string
  port?: string
  json?: boolean
}

const commonOf = (command: Command): CommonOptions => command.optsWithGlobals<CommonOptions>()

export const wantsJson = (command: Command): boolean => commonOf(command).json === true

export function placeOf(command: Command, cli: Cli): Place {
  const options = commonOf(command)
  const given = options.home ?? (cli.env.ONWARD_HOME || undefined)
  const base = cli.env.HOME || homedir()
  const home = given === undefined ? join(base, '.onward') : resolve(cli.cwd, given.replace(/^~(?=$|[\\/])/, base))
  return { home, port: portOf(options.port, '--port') ?? portOf(cli.env.ONWARD_PORT || undefined, 'ONWARD_PORT') }
}

function portOf(text: string | undefined, name: string): number | null {
  if (text === undefined) return null
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65_535)) throw new CliError('usage', `${name} takes a number from 0 to 65535, not “${text}”.`)
  return port
}
