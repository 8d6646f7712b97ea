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

/** Whose engine a command asks. */
export interface EnginePlace extends Place {
  /** the engine of this machine, as `--on` names it; null: of this one, at the place */
  machine: { name: string; cli: Cli } | null
}

interface CommonOptions {
  on?: string
  home?: string
  port?: string
  json?: boolean
}

const commonOf = (command: Command): CommonOptions => command.optsWithGlobals<CommonOptions>()

export const wantsJson = (command: Command): boolean => commonOf(command).json === true

/**
 * For a command about this machine itself.
 * @throws CliError `here-only` where another is named
 */
export function placeOf(command: Command, cli: Cli): Place {
  const { machine, ...place } = engineOf(command, cli)
  if (!machine) return place
  throw new CliError('usage', `\`onward ${wordsOf(command)}\` is about the machine it runs on, so it takes no --on.`, {
    hint: `Run it on ${machine.name}: ssh there first.`,
    code: 'here-only',
  })
}

/** For a command that asks an engine, and takes nothing else from this machine. */
export function engineOf(command: Command, cli: Cli): EnginePlace {
  const options = commonOf(command)
  const given = options.home ?? (cli.env.ONWARD_HOME || undefined)
  const base = cli.env.HOME || homedir()
  const home = given === undefined ? join(base, '.onward') : resolve(cli.cwd, given.replace(/^~(?=$|[\\/])/, base))
  const port = portOf(options.port, '--port') ?? portOf(cli.env.ONWARD_PORT || undefined, 'ONWARD_PORT')
  return { home, port, machine: options.on === undefined ? null : { name: options.on, cli } }
}

const wordsOf = (command: Command): string =>
  command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()

function portOf(text: string | undefined, name: string): number | null {
  if (text === undefined) return null
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65_535)) throw new CliError('usage', `${name} takes a number from 0 to 65535, not “${text}”.`)
  return port
}
