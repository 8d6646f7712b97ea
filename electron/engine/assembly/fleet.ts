import type { ControlApi } from '../../../shared/operations/index.ts'
import { createFleet, type Fleet } from '../fleet/fleet.ts'
import type { ViewParts } from './views/views.ts'

/** The fleet that the config names, if it names one. */
export function assembleFleet({ host, base, terminals, automation, api }: ViewParts & { api: ControlApi }): Fleet {
  const { alarms } = automation.clock
  return createFleet({
    ...host,
    config: base.config,
    policy: base.fleetPolicy,
    platform: process.platform,
    api,
    orders: async () => ({
      document: await base.store.document((await import('../fleet/orders.ts')).takenSpec),
      isDone: (id) => terminals.outboxes.holding(id) !== null || alarms.withId(id) !== null,
    }),
    problem: (problem) => base.timeline.record({}, { type: 'engine-problem', ...problem }),
  })
}
