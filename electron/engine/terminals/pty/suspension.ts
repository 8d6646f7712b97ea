import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'

/**
 * Ctrl Z in a PTY of our own. Its program leads the session, so the kernel does not stop it; Claude Code (2.1.330)
 * gives the screen back all the same and waits for SIGCONT. Seen by its switching bracketed paste off and leaving it
 * off: Codex, which tries to stop and can't, has it on again at once.
 */
export interface Suspension extends Disposable {
  /** what the person typed */
  typed(bytes: Uint8Array): void
}

/** Ctrl Z as a byte, or as the kitty keyboard protocol and xterm spell it. */
// oxlint-disable-next-line no-control-regex -- a control character is the subject here
const ctrlZ = /\u001a|\u001b\[122;5(?::[12])?u|\u001b\[27;5;122~/
/** long enough for a program that could not stop to draw itself again (milliseconds) */
const checkAfterMs = 400

export function watchSuspension({
  clock,
  pasteIsOn,
  onSuspend,
}: {
  clock: Clock
  pasteIsOn(): boolean
  onSuspend(): void
}): Suspension {
  let timer: Disposable | null = null
  return {
    typed(bytes) {
      if (!ctrlZ.test(Buffer.from(bytes).toString('latin1')) || !pasteIsOn()) return
      timer?.dispose()
      timer = clock.after(checkAfterMs, () => {
        if (!pasteIsOn()) onSuspend()
      })
    },
    dispose: () => timer?.dispose(),
  }
}
