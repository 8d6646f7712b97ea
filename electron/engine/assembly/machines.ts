import type { MachineView } from '../../../shared/machines.ts'
import type { MachineSource } from '../machine-source.ts'

/** Those that were added here, and the engines of the fleet. A name that both have is the added one, as for `--on`. */
export function allMachines(added: MachineSource | undefined, fleet: MachineSource): MachineSource {
  if (!added) return fleet
  const has = (source: MachineSource, wanted: string) => source.now().some(({ name }) => name === wanted)
  const of = (name: string) => (has(fleet, name) && !has(added, name) ? fleet : added)
  const both = (first: readonly MachineView[], others: readonly MachineView[]): readonly MachineView[] =>
    [...first, ...others.filter(({ name }) => !first.some((one) => one.name === name))].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
  return {
    look: async () => void (await Promise.all([added.look(), fleet.look()])),
    now: () => both(added.now(), fleet.now()),
    list: async () => both(...(await Promise.all([added.list(), fleet.list()]))),
    watch(told) {
      const ends = [
        added.watch((update) => {
          told(update)
          if (update.type !== 'machine-removed') return
          for (const { sessions, ...machine } of fleet.now().filter(({ name }) => name === update.machine)) {
            told({ type: 'machine', machine })
            for (const session of sessions) told({ type: 'machine-session', machine: machine.name, session })
          }
        }),
        fleet.watch((update) => {
          const name = typeof update.machine === 'string' ? update.machine : update.machine.name
          if (!has(added, name)) told(update)
        }),
      ]
      return { dispose: () => ends.forEach((end) => end.dispose()) }
    },
    call: (what) => of(what.machine).call(what),
    follow: (what, signal) => of(what.machine).follow(what, signal),
    dispose() {
      added.dispose()
      fleet.dispose()
    },
  }
}
