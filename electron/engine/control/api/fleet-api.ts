import type { MachineView } from '../../../../shared/machines.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { Fleet } from '../../fleet/fleet.ts'

export interface FleetApiDeps {
  /** it asks this API, so it comes after it */
  fleet(): Fleet
  /** those over ssh */
  machines?(): Promise<readonly MachineView[]>
}

/** Other engines: of a fleet, and of machines that were added. */
export function fleetApi({ fleet, machines }: FleetApiDeps) {
  return {
    fleet: () => fleet().view(),
    joinFleet: (wanted) => fleet().join(wanted),
    leaveFleet: () => fleet().leave(),
    fleetEngines: () => fleet().engines(),
    askFleet: (asked) => fleet().ask(asked),
    machines: async () => (await Promise.all([machines?.() ?? [], fleet().machines()])).flat(),
  } satisfies Partial<ControlApi>
}
