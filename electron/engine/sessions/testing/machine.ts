import type { Random } from '../../base/ids.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { faultyFiles } from '../../store/testing/faulty-files.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { createTerminalsRegistry, type TerminalsOptions } from '../binding/terminals-registry.ts'
import type { NewTerminal, Terminal } from '../binding/terminal.ts'

/** Ids and keys that count up, so that tests can name them. */
export function countingRandom(): Random {
  let n = 0
  return {
    uuid: () => `${String(++n).padStart(8, '0')}-0000-4000-8000-000000000000`,
    token: () => `token${++n}`,
    fraction: () => 0.5,
  }
}

/** A store over faulty files in memory, driven by a virtual clock. */
export function machine() {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock = virtualClock()
  const newStore = () => createStore({ root: '/store', files, clock, log: silentLog, onProblem: () => undefined })
  return { disk, files, clock, newStore, store: newStore(), random: countingRandom() }
}

/** A registry in which a terminal lives until it is added to `dead` or ends. */
export async function registryOn(on: ReturnType<typeof machine>, more: Partial<TerminalsOptions> = {}) {
  const dead = new Set<string>()
  const terminals = await createTerminalsRegistry({
    store: on.store,
    clock: on.clock,
    random: on.random,
    log: silentLog,
    isAlive: (terminal: Terminal) => !dead.has(terminal.terminalId),
    ...more,
  })
  return { terminals, dead }
}

export const pty = (more: Partial<NewTerminal> = {}): NewTerminal => ({
  kind: 'pty',
  home: 'wrapped',
  client: 'claude',
  name: 'a',
  cwd: '/p',
  command: 'claude',
  hostId: 'h1',
  ...more,
})

export const tmuxPane = (tmuxSession: string, paneId: string, more: Partial<NewTerminal> = {}): NewTerminal => ({
  kind: 'tmux',
  home: 'pane',
  client: 'codex',
  name: tmuxSession,
  cwd: '/p',
  command: 'codex',
  pane: { socket: '/tmp/tmux', paneId, panePid: 100, tmuxSession },
  ...more,
})
