import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { silentLog } from '../../base/log.ts'
import { skippingClock, type SkippingClock } from '../../base/testing/skipping-clock.ts'
import { createPtyTerminal, type PtyTerminal } from '../pty/pty-terminal.ts'
import { loadNodePty } from '../pty/spawn-pty.ts'
import { systemProcReader } from '../process/index.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import type { TypingSettings } from '../typing/port.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const program = resolve(import.meta.dirname, '../../../../e2e/support/reader.mjs')

/** e2e/support/reader.mjs as argv, writing what it reads to a file of its own. */
export interface ReaderFile {
  argv: string[]
  folder: string
  /** all it has read, or null before it began */
  read(): Buffer | null
  /** of how many bytes it has drawn what they led to */
  drawn(): number
  approved(): boolean
  pid(): number | null
  remove(): void
}

export function readerFile(...flags: string[]): ReaderFile {
  const folder = mkdtempSync(join(tmpdir(), 'onward-reader-'))
  const out = join(folder, 'out')
  const content = (path: string) => (existsSync(path) ? readFileSync(path) : null)
  return {
    argv: [process.execPath, program, '--out', out, ...flags],
    folder,
    read: () => (existsSync(`${out}.pid`) ? (content(out) ?? Buffer.alloc(0)) : null),
    drawn: () => Number(content(`${out}.drawn`)?.toString()),
    approved: () => existsSync(`${out}.approved`),
    pid: () => {
      const text = content(`${out}.pid`)?.toString()
      return text ? Number(text) : null
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface ReaderTerminal extends ReaderFile {
  terminal: PtyTerminal
  clock: SkippingClock
  end(): Promise<void>
}

/** The reader in a real PTY, ready to be typed to. */
export async function readerInPty(
  client: ClientKind,
  options: { flags?: string[]; argv?: (reader: string[]) => string[]; typing?: Partial<TypingSettings> } = {},
): Promise<ReaderTerminal> {
  const file = readerFile(...(options.flags ?? []))
  const argv = options.argv?.(file.argv) ?? file.argv
  const size = { cols: 100, rows: 30 }
  const spawn = await loadNodePty()
  const clock = skippingClock()
  const pty = spawn({
    argv,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: file.folder },
    cwd: file.folder,
    ...size,
  })
  const terminal = createPtyTerminal({
    terminalId: 't1',
    client,
    argv: file.argv,
    pty,
    ...size,
    scrollback: 100,
    answerQueries: true,
    reader: systemProcReader(process.platform),
    clock,
    log: silentLog,
    ...(options.typing && { typing: options.typing }),
  })
  terminal.engineIs(true)
  const end = async () => {
    if (terminal.ended === null) {
      const ended = new Promise<void>((done) => {
        terminal.onExit(done)
      })
      terminal.signal('SIGKILL')
      await ended
    }
    terminal.dispose()
    file.remove()
  }
  await waitFor('the reader to read', () => file.pid() !== null)
  return { ...file, terminal, clock, end }
}
