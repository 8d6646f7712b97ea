/** The process that hosts PTYs for the dashboard's terminals, apart from the engine so that agents outlive it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../engine/base/clock.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { lockRoot } from '../engine/store/lock.ts'
import { openEngineLog } from './engine-log.ts'
import { createTerminalHost } from '../engine/terminals/host/terminal-host.ts'
import { stayConnected } from '../engine/terminals/host/stay-connected.ts'
import { surviveErrors } from '../engine/terminals/host/survive-errors.ts'
import { openPtyWith } from '../engine/terminals/open-pty.ts'

/** after this long without a PTY, this process is no longer needed */
const IDLE_MS = 60_000

const [home, hostId] = process.argv.slice(2)
if (!home || !hostId) {
  process.stderr.write('usage: pty-host HOME HOST_ID\n')
  process.exit(2)
}
// The terminal or session this was started from may go; the agents in here stay.
process.on('SIGHUP', () => undefined)
const clock = systemClock()
void hostTerminals(home, hostId)

async function hostTerminals(home: string, hostId: string): Promise<void> {
  const { log } = await openEngineLog(home)
  surviveErrors(log.child({ part: 'pty-host' }))
  await beTheOnlyOne(home)
  let idle: NodeJS.Timeout | null = null
  const host = createTerminalHost({
    hostId,
    pid: process.pid,
    openPty: await openPtyWith({ clock, log }),
    clock,
    log: log.child({ part: 'pty-host' }),
    onCount() {
      if (idle) clearTimeout(idle)
      idle = host.alive > 0 ? null : setTimeout(() => process.exit(0), IDLE_MS)
    },
  })
  idle = setTimeout(() => process.exit(0), IDLE_MS)
  stayConnected({ home, host, clock, log: log.child({ part: 'pty-host' }) })
}

/**
 * An engine that was restarted and does not see us yet starts another pty-host. Two of the same name would push each
 * other off the engine forever, so the one that came first, and holds the agents, stays.
 */
async function beTheOnlyOne(home: string): Promise<void> {
  const root = join(home, 'pty-host')
  mkdirSync(root, { recursive: true, mode: 0o700 })
  try {
    await lockRoot({ root, clock })
  } catch (error) {
    if (!OnwardError.isInstance(error) || error.code !== 'root-locked') throw error
    process.exit(0)
  }
}
