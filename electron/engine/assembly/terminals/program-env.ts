import { delimiter, isAbsolute } from 'node:path'
import type { Config } from '../../../../shared/config/schema.ts'
import { callersKeys, textsOf } from '../../base/network/local-keys.ts'
import { ofThisTerminal } from '../../terminals/of-this-terminal.ts'
import type { EngineHost } from '../../host.ts'

type Env = Record<string, string>

const SHORTEST_SECRET = 8

export interface ProgramEnvDeps {
  host: Pick<EngineHost, 'env' | 'loginPath'>
  config(): Pick<Config, 'providers' | 'servertools' | 'server' | 'mcp'>
}

/**
 * Onward's own settings and order numbers, leftovers of npm and Electron, and a shell's start folder: programs have no
 * use for them.
 */
const ours = /^(ONWARD_|ROUTECODEX_|npm_|ELECTRON_RUN_AS_NODE$|INIT_CWD$)/i

/**
 * Returns the environment of programs that Onward runs in a session's folder: the person's, without keys of providers
 * (a repository's tests have no need of them, and their output is shown to a model), and with the programs a login
 * shell finds, since an app that was started from a desktop has a bare PATH.
 */
export function createProgramEnv({ host, config }: ProgramEnvDeps): () => Promise<Env> {
  return async () => {
    const secret = secretsOf(config())
    const env: Env = {}
    for (const [name, value] of Object.entries(host.env)) {
      if (
        value === undefined ||
        ours.test(name) ||
        ofThisTerminal(name) ||
        secret.names.has(name) ||
        secret.values.has(value)
      )
        continue
      env[name] = value
    }
    // Windows calls it `Path`, and takes the first of two that differ in case only.
    const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
    const path = joinedPath(env[pathName], (await host.loginPath?.()) ?? undefined)
    if (path !== '') env[pathName] = path
    return env
  }
}

/**
 * Own folders first, as the launcher looks for programs too. Relative and empty entries mean the working directory:
 * with them a file of the repository that is called `git` would be run. npm's `node_modules/.bin` of this repository
 * goes as well.
 */
function joinedPath(...paths: readonly (string | undefined)[]): string {
  const folders = paths
    .flatMap((path) => (path ?? '').split(delimiter))
    .filter(
      (folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$|[\\/]node-gyp-bin[\\/]?$/.test(folder),
    )
  return [...new Set(folders)].join(delimiter)
}

/**
 * Finds keys by the names the config gives them, and by their values: the config's reader replaces `${NAME}` before any
 * code sees the name.
 */
function secretsOf({
  providers,
  servertools,
  server,
  mcp,
}: Pick<Config, 'providers' | 'servertools' | 'server' | 'mcp'>): {
  names: ReadonlySet<string>
  values: ReadonlySet<string>
} {
  const keys = Object.values(providers).flatMap((provider) => provider.keys)
  const { engine } = servertools.webSearch
  const values = [
    ...keys.flatMap((key) => ('value' in key ? [key.value] : [])),
    ...(engine !== null && 'key' in engine ? [engine.key] : []),
    ...textsOf(callersKeys({ server, mcp })),
  ]
  return {
    names: new Set(keys.flatMap((key) => ('env' in key ? [key.env] : []))),
    // A key like `x`, for a server that accepts any, is no secret, and other variables have that value too.
    values: new Set(values.filter((value) => value.length >= SHORTEST_SECRET)),
  }
}
