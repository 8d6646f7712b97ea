import { pause, type Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { StopMessageDeps } from '../../servertools/stop-message/deps.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { agents } from '../../terminals/agents/index.ts'
import type { TerminalAccess } from './terminal-access.ts'

/** When its last byte has gone out, its answer is not yet on the screen. */
const DRAWN_MS = 400
const LOOKS = 4

/** Reads work in the background from a terminal's screen, looking again until it shows. */
export function shownWorkOf(
  registry: Pick<TerminalsRegistry, 'byScope'>,
  access: Pick<TerminalAccess, 'findTarget'>,
  { clock, log }: { clock: Clock; log: Log },
): NonNullable<StopMessageDeps['shownWork']> {
  return {
    known(scope) {
      const terminal = registry.byScope(scope)
      return terminal !== null && agents[terminal.client].screen?.background !== undefined
    },
    async look(scope) {
      for (let looks = 0; looks < LOOKS; looks++) {
        await pause(clock, DRAWN_MS)
        const terminal = registry.byScope(scope)
        const target = terminal && access.findTarget(terminal.terminalId)
        const reading = await target?.read().catch((error: unknown) => {
          log.warn({ scope, error: messageOf(error) }, 'a screen could not be read for work in the background')
          return null
        })
        if (!reading || reading.kind === 'gone') return undefined
        if (reading.background !== undefined) return reading.background
      }
      return undefined
    },
  }
}
