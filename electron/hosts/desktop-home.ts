import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export const usualHome = (): string => join(homedir(), '.onward')

/** Where the desktop app lives: it has no command line that would name another home. */
export const desktopHome = (env: Readonly<Record<string, string | undefined>>): string =>
  resolve(env.ONWARD_HOME || usualHome())
