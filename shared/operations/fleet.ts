import type { FleetAnswer, FleetView } from '../fleet.ts'
import type { MachineView } from '../machines.ts'
import { call, takes, type Zod } from './operation.ts'

const word = (z: Zod) => z.string().min(1).max(512)

/** The fleet that this engine joined. */
export const fleetOperations = {
  /** null: none */
  fleet: call.query<FleetView | null>(),
  /**
   * Tries the hub with these, and writes the config where it answers. Paths are absolute. @throws `fleet-…`, and as a
   * change of the config is refused
   */
  joinFleet: takes((z) =>
    z.object({
      url: word(z),
      name: word(z).optional(),
      engine: word(z).optional(),
      domain: word(z).optional(),
      creds: word(z).optional(),
      ca: word(z).optional(),
      cert: word(z).optional(),
      key: word(z).optional(),
      texts: z.boolean().optional(),
    }),
  ).mutation<FleetView>(),
  /** @throws `fleet-none` */
  leaveFleet: call.mutation<void>(),
  /** every engine of the fleet but this one, with its sessions. @throws `fleet-none`, `fleet-…` */
  fleetEngines: call.query<readonly MachineView[]>(),
  /**
   * Asks another engine. What may be done later (`once`) waits at the hub for one that is away. @throws `fleet-…`, and
   * as that engine refuses it
   */
  askFleet: takes((z) =>
    z.object({ engine: word(z), operation: word(z), input: z.unknown().optional() }),
  ).mutation<FleetAnswer>(),
}
