import type { Pty } from './spawn-pty.ts'

/** The screen's greatest lag in bytes. xterm takes up to 50 MB and then throws, which would end agent and host. */
const mostBehind = 2 * 1024 * 1024
const littleBehind = 256 * 1024

/** Holds a program's output back while the screen, or the person's own terminal, can't follow. */
export interface Flow {
  came(bytes: number): void
  shown(bytes: number): void
  /** the person's own terminal is full, and drained */
  pause(): void
  resume(): void
}

export function createFlow(pty: Pick<Pty, 'pause' | 'resume'>): Flow {
  const held = new Set<'screen' | 'reader'>()
  let behind = 0
  const hold = (who: 'screen' | 'reader') => {
    if (held.size === 0) pty.pause()
    held.add(who)
  }
  const release = (who: 'screen' | 'reader') => {
    if (held.delete(who) && held.size === 0) pty.resume()
  }
  return {
    came(bytes) {
      behind += bytes
      if (behind > mostBehind) hold('screen')
    },
    shown(bytes) {
      behind -= bytes
      if (behind < littleBehind) release('screen')
    },
    pause: () => hold('reader'),
    resume: () => release('reader'),
  }
}
