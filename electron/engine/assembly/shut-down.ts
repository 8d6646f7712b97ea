import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Deletions } from '../sessions/deletions.ts'
import type { ViewParts } from './views/views.ts'

export interface RunningParts extends ViewParts {
  listeners: Disposable
  rebinder: Disposable
  deletions: Deletions
}

/** Ends everything the engine started: first the parts that let work in, last those that hold the folder. */
export async function shutDown(parts: RunningParts): Promise<void> {
  const { host, base, notifications, terminals, automation, facts, upstream, turns } = parts
  const { log } = host
  const { alarms, time } = automation.clock
  parts.listeners.dispose()
  // A file that is still being read may have to be set aside, which we may do only while we hold the folder.
  await parts.loaded
  parts.rebinder.dispose()
  time.dispose()
  alarms.dispose()
  await alarms
    .idle()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the alarms could not be written'))
  // A text that is being typed right now is finished first: it needs its terminal.
  await terminals.outboxes
    .close()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the outboxes did not close cleanly'))
  notifications.outside.dispose()
  notifications.quiet.dispose()
  parts.deletions.dispose()
  facts.failures.dispose()
  facts.stalls.dispose()
  upstream.recover.dispose()
  terminals.pauseAtLimit.dispose()
  parts.revive.dispose()
  upstream.probes.dispose()
  upstream.outageWaits.dispose()
  terminals.access.dispose()
  automation.resume.dispose()
  automation.awake.dispose()
  await turns.tools.dispose()
  automation.stopMessage.dispose()
  // After everything that asks for checks: a check that is stopped now must not reach an agent.
  await automation.goal.dispose()
  await turns.thinking.flush()
  await terminals.registry
    .flush()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the terminals could not be written'))
  terminals.registry.dispose()
  base.timeline.record({}, { type: 'engine', did: 'stopped' })
  await base.dispose()
}
