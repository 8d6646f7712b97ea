import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { Fleet } from '../../fleet/fleet.ts'

export interface FleetApiDeps {
  /** it asks this API, so it comes after it */
  fleet(): Fleet
}

/** The fleet that this engine joined, and its other engines. */
export function fleetApi({ fleet }: FleetApiDeps) {
  return {
    fleet: () => fleet().view(),
    joinFleet: (wanted) => fleet().join(wanted),
    leaveFleet: () => fleet().leave(),
    fleetEngines: () => fleet().engines(),
    askFleet: (asked) => fleet().ask(asked),
  } satisfies Partial<ControlApi>
}
