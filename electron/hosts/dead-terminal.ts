/** A terminal whose window was closed, as a process meets it at its end. */
import { closeSync, fstatSync } from 'node:fs'
import { isatty } from 'node:tty'

/**
 * Node puts the modes of its terminal back as it ends, and aborts where the terminal is gone by then (`ResetStdio` of
 * 20.20.2; 24.21.0 does not). It leaves alone what was closed, so the process ends with its own exit code.
 */
export function letDeadTerminalGo(): void {
  process.on('exit', () => {
    for (const fd of [0, 1, 2]) if (isDead(fd)) closeSync(fd)
  })
}

/** A device that answers as no terminal: one that hung up, or `/dev/null`, which is no loss. */
function isDead(fd: number): boolean {
  try {
    return process.platform !== 'win32' && fstatSync(fd).isCharacterDevice() && !isatty(fd)
  } catch {
    return false // closed
  }
}
