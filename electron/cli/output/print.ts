/** How commands print: words for people, or one JSON document for programs. */
import type { Cli } from '../cli.ts'
import { styleOf, type Style } from './style.ts'

export const printJson = (cli: Cli, value: unknown): void => cli.out(`${JSON.stringify(value)}\n`)

/** Infinity where the output is no terminal: programs get whole values. */
export const columnsOf = (cli: Cli): number => (cli.tty.out ? Math.max(40, cli.tty.columns) : Infinity)

export interface Words {
  style: Style
  columns: number
}
export const wordsOf = (cli: Cli): Words => ({ style: styleOf(cli), columns: columnsOf(cli) })

/** `~` for the person's own folder. */
export function tilde(path: string, home: string | undefined): string {
  if (!home || home === '/') return path
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
