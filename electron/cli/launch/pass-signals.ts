/** Signals for an agent that runs in our place. */
import { closeSync, openSync } from 'node:fs'
import type { Disposable } from '../../engine/base/disposable.ts'

/**
 * Signals that the terminal driver sends to the whole foreground group by itself: sending them again would press the
 * key twice.
 */
const fromTheKeyboard: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const always: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']

/**
 * While the agent lives, signals end it and not us. Stop and continue (Ctrl Z) keep their default: they reach the
 * group.
 */
export function passSignals(
  send: (signal: NodeJS.Signals) => void,
  options: { keyboardReachesChild: boolean; told?: () => void } = { keyboardReachesChild: hasControllingTerminal() },
): Disposable {
  const listeners: [NodeJS.Signals, () => void][] = [
    ...fromTheKeyboard.map((signal): [NodeJS.Signals, () => void] => [
      signal,
      () => {
        options.told?.()
        if (!options.keyboardReachesChild) send(signal)
      },
    ]),
    ...always.map((signal): [NodeJS.Signals, () => void] => [
      signal,
      () => {
        if (signal === 'SIGTERM' || signal === 'SIGHUP') options.told?.()
        send(signal)
      },
    ]),
  ]
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    dispose: () => {
      for (const [signal, listener] of listeners) process.off(signal, listener)
    },
  }
}

export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
