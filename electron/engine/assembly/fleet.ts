import type { ControlApi } from '../../../shared/operations/index.ts'
import { OnwardError } from '../base/errors.ts'
import type { Line } from '../providers/via/line.ts'
import { createFleet, type Fleet } from '../fleet/fleet.ts'
import type { FleetMachines } from '../fleet/fleet-machines.ts'
import type { Viewing } from '../control/views/viewing.ts'
import type { ViewParts } from './views/views.ts'

/** The fleet that the config names, if it names one. */
export function assembleFleet({
  host,
  base,
  terminals,
  automation,
  api,
  viewing,
  fleetMachines,
  lend,
}: ViewParts & {
  api: ControlApi
  viewing: Viewing
  fleetMachines: FleetMachines
  lend(line: Line): Promise<void>
}): Fleet {
  const { alarms } = automation.clock
  return createFleet({
    ...host,
    config: base.config,
    policy: base.fleetPolicy,
    platform: process.platform,
    // it looks at no other machine, as a viewer does
    api: { ...api, follow: viewing.hub.follow },
    machines: fleetMachines,
    async lend(line) {
      if (!base.config.current().fleet.rights.includes('say'))
        throw new OnwardError('fleet-may-not', 'It lends nothing to the fleet: `fleet.rights` there lack `say`.')
      await lend(line)
    },
    orders: async () => ({
      document: await base.store.document((await import('../fleet/orders.ts')).takenSpec),
      isDone: (id) => terminals.outboxes.holding(id) !== null || alarms.withId(id) !== null,
    }),
    problem: (problem) => base.timeline.record({}, { type: 'engine-problem', ...problem }),
  })
}
