/** The program that the service of a home runs. */
import { join } from 'node:path'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit.ts'
import type { Place } from '../place.ts'
import type { ServiceSpec, ServiceSystem } from './types.ts'
import { serviceName } from './service-name.ts'

/** @throws CliError when a value can't stand in a file of a service manager */
export async function serviceSpec(place: Place, cli: Cli, system: ServiceSystem): Promise<ServiceSpec> {
  const usual = join(cli.env.HOME || system.env.HOME || system.env.USERPROFILE || '/', '.onward')
  const windows = system.platform === 'win32'
  const other = place.home !== usual
  const argv = [
    ...cli.self,
    'serve',
    '--json',
    '--service',
    ...(windows && other ? ['--home', place.home] : []),
    ...(place.port === null ? [] : ['--port', String(place.port)]),
  ]
  // The PATH of the login shell: agents are found where a person finds them, not where this terminal happens to.
  const path = windows ? null : ((await system.loginPath()) ?? cli.env.PATH ?? null)
  const env = {
    ...(path === null ? {} : { PATH: path }),
    ...(other && !windows ? { ONWARD_HOME: place.home } : {}),
    ...(process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }),
  }
  for (const value of [...argv, ...Object.values(env)])
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    if (/[\u0000-\u001f\u007f]/.test(value))
      throw new CliError('refused', `“${value}” has a control character, which no service can be started with.`)
  const saved = system.platform === 'linux' ? await system.addressOf(place.home) : null
  const listens = saved && { host: saved.host, port: place.port ?? saved.port }
  return { name: serviceName(place.home, usual), home: place.home, version: cli.version, argv, env, listens }
}

/** Why this program is not there at the next login; null: it stays. */
export function passing({ argv }: ServiceSpec): string | null {
  if (argv.some((word) => /[\\/]_npx[\\/]/.test(word)))
    return 'This Onward was started by npx, whose folder is emptied some day: install it (npm install --global) first.'
  if (argv.some((word) => /[\\/]\.mount_[^\\/]+[\\/]|\.AppImage$/i.test(word)))
    return (
      'This Onward runs from an AppImage, which is mounted elsewhere ' +
      'at each start: use the package of your system or npm.'
    )
  return null
}
