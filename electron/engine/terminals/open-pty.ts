import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { PtySpec } from './host/messages.ts'
import { systemProcReader } from './process/index.ts'
import { createPtyTerminal, type PtyTerminal } from './pty/pty-terminal.ts'
import { loadNodePty, type SpawnPty } from './pty/spawn-pty.ts'

export interface OpenPtyOptions {
  clock: Clock
  log: Log
  /** false in the wrapper: there the person's own terminal answers the program's queries */
  answerQueries?: boolean
  spawn?: SpawnPty
  platform?: NodeJS.Platform
}

const scrollback = 2_000

/** How this process starts programs in PTYs. @throws OnwardError `pty-unavailable`, and the opener `spawn-failed` */
export async function openPtyWith({
  clock,
  log,
  answerQueries = true,
  spawn,
  platform = process.platform,
}: OpenPtyOptions): Promise<(spec: PtySpec) => PtyTerminal> {
  const reader = systemProcReader(platform)
  const start = spawn ?? (await loadNodePty())
  return (spec) => createPtyTerminal({ ...spec, pty: start(spec), answerQueries, scrollback, reader, clock, log })
}
