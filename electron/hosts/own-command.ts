/**
 * How a person's shell calls this very program, for every line that is given to be copied: `onward` where that name on
 * their PATH leads here, else the whole way.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { joinCommand } from '../../shared/commands/join-command.ts'

export interface OwnProgram {
  /** folder of the built program, `…/out/main` */
  built: string
  execPath: string
  /** the program that runs it is Electron's, which is a Node only with ELECTRON_RUN_AS_NODE */
  electron: boolean
  platform: NodeJS.Platform
}

/** @param path the PATH of the shell that is to call it; null: not known */
export function ownCommand(program: OwnProgram, path: string | null): string {
  const own = waysIn(program)
  if (path !== null && named('onward', path, program.platform, own)) return 'onward'
  return quoted(wholeWay(program, own, path), program.platform)
}

interface WaysIn {
  /** of an installed app, or of one installed from another machine */
  app: string | null
  script: string
}

function waysIn({ built, platform }: OwnProgram): WaysIn {
  const resources = /^(.*)[\\/]app\.asar[\\/]/.exec(built)?.[1]
  // what another machine's Onward installed here has a command of its own, as an app has
  const app = join(resources ?? join(built, '../..'), 'bin', platform === 'win32' ? 'onward.cmd' : 'onward')
  const bin = join(built, '../../bin/onward.mjs')
  return {
    app: existsSync(app) ? app : null,
    script: resolve(built).endsWith(join('out', 'main')) && existsSync(bin) ? bin : join(built, 'onward.js'),
  }
}

/** True if that name leads into this program: the first of the PATH decides, as it does in the shell. */
function named(name: string, path: string, platform: NodeJS.Platform, own: WaysIn): boolean {
  const ours = [own.app, own.script].map(real)
  const found = foundIn(name, path, platform)
  if (found === null) return false
  // npm's command files of Windows are no links: their programs lie beside them.
  return [found, join(dirname(found), 'node_modules/onward/bin/onward.mjs')]
    .map(real)
    .some((at) => at !== null && ours.includes(at))
}

/** npm and npx put folders of a package before the PATH of what they start; the person's shell has none of them. */
const ofNpm = /[\\/](node_modules[\\/]\.bin|_npx[\\/].*)[\\/]?$/

function foundIn(name: string, path: string, platform: NodeJS.Platform): string | null {
  const windows = platform === 'win32'
  for (const folder of path.split(windows ? ';' : ':')) {
    if (!isAbsolute(folder) || ofNpm.test(folder)) continue
    for (const ending of windows ? ['.exe', '.cmd'] : ['']) {
      const file = join(folder, name + ending)
      if (existsSync(file)) return file
    }
  }
  return null
}

function wholeWay(
  { execPath, electron, platform }: OwnProgram,
  { app, script }: WaysIn,
  path: string | null,
): readonly string[] {
  if (app !== null) return [app]
  const node = path === null ? null : foundIn('node', path, platform)
  if (!electron) return [node !== null && real(node) === real(execPath) ? 'node' : execPath, script]
  if (node !== null || platform === 'win32') return ['node', script]
  return ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', execPath, script]
}

function real(path: string | null): string | null {
  return path !== null && existsSync(path) ? realpathSync(path) : null
}

/** Double quotes are read by both shells of Windows. */
export const quoted = (words: readonly string[], platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? words.map((word) => (/[\s&()^]/.test(word) ? `"${word}"` : word)).join(' ')
    : joinCommand(words)
