import type { InboxView } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { createAgentInboxes } from '../../terminals/inbox/agent-inboxes.ts'
import type { OutboxDeps } from '../../terminals/outbox/outbox.ts'
import { systemProcReader } from '../../terminals/process/index.ts'

export interface Inboxes extends Disposable {
  forOutboxes: NonNullable<OutboxDeps['inbox']>
  /** Pauses its agent's own goal, without its screen; false: nobody knows that it is paused. */
  pauseGoal(terminal: Terminal | null): Promise<boolean>
  /** null: it is not asked for, or not known yet whether the agent has one */
  shown(terminal: Terminal): InboxView | null
}

/** The agents' own inboxes, which nothing looks for while neither the config nor a person's order asks for them. */
export function assembleInboxes(deps: {
  clock: Clock
  registry: TerminalsRegistry
  config: ConfigHandle
  log: Log
  onFound(scope: Terminal['scope']): void
}): Inboxes {
  const { clock, registry, config, log } = deps
  const wanted = () => config.current().stopMessage.delivery === 'inbox'
  const inboxes = createAgentInboxes({
    clock,
    reader: systemProcReader(process.platform),
    open: async (program, at) => (await import('../../terminals/inbox/codex-queue.ts')).openCodexQueue(program, at),
    onFound(terminalId) {
      const terminal = registry.get(terminalId)
      if (terminal) deps.onFound(terminal.scope)
    },
  })
  return {
    forOutboxes: {
      wanted,
      async of(terminalId) {
        const terminal = registry.get(terminalId)
        return terminal ? inboxes.of(terminal) : { kind: 'typing', why: { code: 'program-unknown' } }
      },
    },
    async pauseGoal(terminal) {
      if (!terminal || terminal.sessionId === null || !registry.alive(terminal)) return false
      const way = await inboxes.of(terminal)
      if (way.kind !== 'inbox') return false
      try {
        return await way.pauseGoal(terminal.sessionId)
      } catch (error) {
        log.warn({ terminalId: terminal.terminalId, why: messageOf(error) }, 'an agent’s own goal was not paused')
        return false
      }
    },
    shown(terminal) {
      // its agent has called, so it runs
      if (!wanted() || terminal.sessionId === null || !registry.alive(terminal)) return null
      const found = inboxes.found(terminal.terminalId)
      if (found === null) void inboxes.of(terminal)
      else return found.kind === 'typing' ? { used: false, why: found.why } : { used: true }
      return null
    },
    dispose: () => inboxes.dispose(),
  }
}
