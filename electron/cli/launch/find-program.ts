/**
 * Where a program is: first as this terminal would find it, then as a login shell would (a GUI app on macOS has a bare
 * PATH).
 */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'

export interface SearchPlace {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  platform: NodeJS.Platform
}

export async function findProgram(name: string, place: SearchPlace): Promise<string | null> {
  if (/[\\/]/.test(name)) return executable(resolve(place.cwd, name), place.platform)
  return (
    (await searchPath(name, place.env.PATH, place)) ?? searchPath(name, (await loginPath(place)) ?? undefined, place)
  )
}

async function searchPath(
  name: string,
  path: string | undefined,
  { cwd, platform }: SearchPlace,
): Promise<string | null> {
  for (const folder of (path ?? '').split(delimiter)) {
    // an empty entry of PATH means the working directory; a launcher should not pick programs up from there
    if (folder === '') continue
    const found = await executable(join(isAbsolute(folder) ? folder : resolve(cwd, folder), name), platform)
    if (found) return found
  }
  return null
}

async function executable(path: string, platform: NodeJS.Platform): Promise<string | null> {
  for (const ending of platform === 'win32' ? ['.exe', '.cmd', ''] : ['']) {
    const file = path + ending
    const usable = await stat(file)
      .then(
        (info) => info.isFile() && access(file, constants.X_OK).then(() => true),
        () => false,
      )
      .catch(() => false)
    if (usable) return file
  }
  return null
}

const begin = 'onward-path-begin:'
const end = ':onward-path-end'

/**
 * PATH of the login shell. Its start files may print anything, so the value is fenced; a shell that asks or hangs is
 * left.
 */
export async function loginPath({ env, platform }: Pick<SearchPlace, 'env' | 'platform'>): Promise<string | null> {
  const shell = env.SHELL
  if (platform === 'win32' || !shell) return null
  // `printenv` because fish keeps PATH as a list and prints it with spaces
  const { stdout } = await runProgram(
    shell,
    ['-l', '-i', '-c', `printf '%s' '${begin}'; printenv PATH; printf '%s' '${end}'`],
    { env, ownSession: true },
  )
  const from = stdout.lastIndexOf(begin)
  const to = stdout.indexOf(end, from)
  return from < 0 || to < 0 ? null : stdout.slice(from + begin.length, to).trim() || null
}
