import type {
  CallThere,
  InstallPlan,
  InstallStep,
  MachineNotice,
  MachineUpdate,
  MachineView,
  ReachedMachine,
} from '../../shared/machines.ts'
import type { Disposable } from './base/disposable.ts'

/** Engines of other machines, over whatever leads to them. Names are unique within one source. */
export interface MachineSource extends Disposable {
  /** Follows those that are there to be followed by now, and leaves those that were taken away. */
  look(): Promise<void>
  /** all that are followed, as they are known now */
  now(): readonly MachineView[]
  /** the same after a look, when each was reached or is known not to be; after ten seconds at the latest */
  list(): Promise<readonly MachineView[]>
  watch(told: (update: MachineUpdate | MachineNotice) => void): Disposable
  /**
   * Answers what the engine there does, or a FleetAnswer that `waits` where the hub of a fleet keeps the order.
   * @throws OnwardError why that engine can't be asked, or what it refused with
   */
  call(what: CallThere): Promise<unknown>
  /** a subscription of that engine; ends with its line, or the signal */
  follow(what: Omit<CallThere, 'kind'>, signal: AbortSignal): AsyncIterable<unknown>
}

/** What a person may change of the machines of a source. */
export interface MachineEdits {
  /** @throws OnwardError `machine-name`, `machine-target`, `machine-program`, `machine-exists`, `machines-file` */
  add(machine: { name: string; target: string; program: string | null }): Promise<void>
  /** forgets it here, and does nothing there. @throws OnwardError `machine-unknown` */
  remove(name: string): Promise<void>
  /** whether its notifications stay away from here. @throws OnwardError `machine-unknown` */
  setQuiet(name: string, quiet: boolean): Promise<void>
  /** reaches it once more, apart from the line that is kept; starts its engine when asked to. @throws `machine-…` */
  test(name: string, start: boolean): Promise<ReachedMachine>
  /** looks whether this Onward can be installed there. @throws `machine-…` */
  plan(name: string): Promise<InstallPlan>
  /** @param shown the plan's fingerprint. @throws `machine-…`; nothing is left there then, or when it is left before */
  install(name: string, shown: string): AsyncIterable<InstallStep>
}
