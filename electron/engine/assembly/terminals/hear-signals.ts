import type { Disposable } from '../../base/disposable.ts'
import type { EngineHost } from '../../host.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { followSignals, signalFile } from '../../terminals/signals/signals.ts'
import type { TerminalAccess } from './terminal-access.ts'

/** A hook's word makes Onward look at once; the terminal itself, its screen or its end, says whether it is so. */
export const hearSignals = (deps: {
  host: Pick<EngineHost, 'home' | 'log'>
  registry: TerminalsRegistry
  access: Pick<TerminalAccess, 'needs' | 'check'>
  outboxes: Outboxes
}): Promise<Disposable> =>
  followSignals(signalFile(deps.host.home), {
    log: deps.host.log,
    heard(key, signal) {
      const terminal = deps.registry.byKey(key)
      if (!terminal || terminal.endedAt !== null) return
      switch (signal) {
        case 'asks':
          return deps.access.needs.told(terminal.terminalId)
        case 'rests':
          return deps.outboxes.peek(terminal.scope)?.atRest()
        case 'ends':
          return void deps.access.check(terminal.terminalId)
      }
    },
  })
