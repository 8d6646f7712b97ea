import type { Clock } from '../../base/clock.ts'

/** Knows if a person asked the agent in a PTY to end, by the keys they typed a moment before. */
export interface QuitWatch {
  typed(bytes: Uint8Array): void
  asked(): boolean
}

/** Ctrl C and Ctrl D as bytes, or as the kitty keyboard protocol and xterm spell them. */
// oxlint-disable-next-line no-control-regex -- control characters are the subject here
const ctrl = /[\u0003\u0004]|\u001b\[(?:99|100);5(?::[12])?u|\u001b\[27;5;(?:99|100)~/
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const enters = /\u001b\[13(?:;1)?(?::1)?u/g
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const sequences = /\u001b(?:\[[0-9:;?<>=]*[@-~]|O.)/g
/** whole, or as far as a person types before the agent's own list has it */
const quits = /^(?:\/(?:ex?i?t?|qu?i?t?)|exit|quit|:w?q!?)$/i
/** an agent tidies up for some seconds before it ends (milliseconds) */
const QUIT_MS = 10_000
const LONGEST = 40

export function createQuitWatch(clock: Pick<Clock, 'monotonic'>): QuitWatch {
  let line = ''
  let at = -Infinity
  return {
    typed(bytes) {
      const text = Buffer.from(bytes).toString('latin1')
      if (ctrl.test(text)) at = clock.monotonic()
      for (const char of text.replace(enters, '\r').replace(sequences, '')) {
        if (char === '\r') {
          if (quits.test(line.trim())) at = clock.monotonic()
          line = ''
        } else if (char === '\u007f' || char === '\b') line = line.slice(0, -1)
        else if (char === '\u0015') line = ''
        else if (char >= ' ') line = (line + char).slice(0, LONGEST)
      }
    },
    asked: () => clock.monotonic() - at < QUIT_MS,
  }
}
