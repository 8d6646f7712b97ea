import type { Viewing } from '../control/views/viewing.ts'
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import type { ViewParts } from './views/views.ts'

/** Metrics, spans and events for those who watch Onward from outside, where the config asks for them. */
export async function assembleTelemetry(parts: ViewParts & { viewing: Pick<Viewing, 'sessions'> }): Promise<Telemetry> {
  const { host, base, terminals, automation, upstream, viewing } = parts
  const { outboxes } = terminals
  const telemetry = createTelemetry({
    config: base.config,
    clock: host.clock,
    log: host.log,
    record: base.timeline.record,
    version: host.version,
    instance: host.random.uuid(),
    sources: {
      onRecord: base.records.onRecord,
      onEvent: base.timeline.onEvent,
      look: () => ({
        providers: upstream.router.views(),
        waiting: outboxes.all().flatMap((outbox) => outbox.list().filter(({ state }) => state === 'queued')),
        sessions: viewing.sessions(),
        alarms: automation.clock.status().alarms,
        paused: outboxes.pausedAll(),
        budgets: base.config.current().stopMessage.budgets,
      }),
    },
  })
  // Clients may be waiting already, and their turns count as well.
  await telemetry.begun()
  return telemetry
}
