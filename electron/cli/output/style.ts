/** Colours by meaning. The 16 ANSI colours only: the person's terminal theme decides what they look like. */
import type { SessionShape } from '../../../shared/words.ts'
import type { Cli } from '../cli.ts'

export interface Style {
  quiet(text: string): string
  strong(text: string): string
  shape(shape: SessionShape, text: string): string
}

const codes: Record<SessionShape, string> = {
  working: '36',
  needs: '33',
  held: '36',
  idle: '2',
  done: '32',
  failed: '31',
  paused: '2',
  gone: '2',
}

/** NO_COLOR (no-color.org) and `TERM=dumb` switch colours off, FORCE_COLOR on where stdout is no terminal. */
export function styleOf(cli: Pick<Cli, 'env' | 'tty'>): Style {
  const { NO_COLOR, FORCE_COLOR, TERM } = cli.env
  const on = !NO_COLOR && (FORCE_COLOR ? FORCE_COLOR !== '0' : cli.tty.out && TERM !== 'dumb')
  const paint = (code: string) => (text: string) => (on && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { quiet: paint('2'), strong: paint('1'), shape: (shape, text) => paint(codes[shape])(text) }
}
