import type { InstallPlan, InstallStep, MachineView, ReachedMachine } from '../machines.ts'
import { call, id, takes, type Zod } from './operation.ts'
import type { FleetAnswer, FleetView } from '../fleet.ts'

const name = (z: Zod) => z.string().min(1).max(63)
const there = (z: Zod) =>
  z.object({ machine: name(z), operation: z.string().min(1).max(64), input: z.unknown().optional() })

/** The machines that were added (`onward remote`) and the engines of the fleet, each asked by the same calls. */
export const machineOperations = {
  /**
   * Reaches those that are not yet, and answers when each of them is there or is known not to be, ten seconds later at
   * the latest. Viewers hear of changes by `follow`.
   */
  machines: call.query<readonly MachineView[]>(),
  /** looks at them again, and tries those that are away: another program added, removed or mended some */
  machinesChanged: call.mutation<void>(),
  /**
   * Any operation of these tables, carried out by the engine of another machine. It takes what that operation takes,
   * and whoever may not do that here may not do it there. Of an engine of the fleet that is away, what may be done
   * later (`once`) answers `{ kind: 'waits', until }`: the hub keeps it. @throws `operation-unknown`,
   * `operation-input`, why the machine can’t be asked, and what its engine refused with
   */
  callThere: takes(there).mutation<unknown>(),
  /** the same with a subscription; ends with the line */
  followThere: takes(there).subscription<unknown>(),
  /** keeps one under a name; it is reached from then on. @throws as `onward remote add` */
  addMachine: takes((z) =>
    z.object({ name: name(z), target: z.string().min(1).max(400), program: z.string().max(600).nullable() }),
  ).mutation<void>(),
  /** forgets one here; nothing is done there */
  removeMachine: takes(id).mutation<void>(),
  /** whether its notifications stay away from here */
  setMachineQuiet: takes((z) => z.object({ machine: name(z), quiet: z.boolean() })).mutation<void>(),
  /** reaches it once more; `start`: with an engine, where none runs */
  testMachine: takes((z) => z.object({ machine: name(z), start: z.boolean() })).mutation<ReachedMachine>(),
  /** looks whether this Onward can be installed there, and changes nothing. @throws `machine-…` why it can't be */
  planInstall: takes(name).query<InstallPlan>(),
  /**
   * Does it, and starts an engine there; ends with `done`. Left before, or failed, it leaves nothing there. @throws
   * `machine-install-changed` when it would not be what was shown, `machine-install-failed`
   */
  installThere: takes((z) =>
    z.object({ machine: name(z), fingerprint: z.string().min(1).max(100) }),
  ).subscription<InstallStep>(),
}

/** those that carry another operation with them */
export const carriesOther = (operation: string): boolean => operation === 'callThere' || operation === 'followThere'

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
