import { useStore } from 'zustand'
import { useApp, useWords } from '../app-context.ts'

/** Where a session is: in a box what is not here, an engine of a fleet behind the fleet's name. */
export function MachineMark({ machine }: { machine: string | null }) {
  const { here } = useApp()
  const { w } = useWords()
  const fleet = useStore(here.engine, (s) => s.machines.find(({ name }) => name === machine)?.fleet?.name)
  return machine === null ? (
    <span className="meta mach here" title={w.machines.onThis}>
      {w.machines.here}
    </span>
  ) : (
    <span className="meta mach cut" title={fleet ? w.machines.onFleet(machine, fleet) : w.machines.on(machine)}>
      {fleet && <span className="t3">{fleet}/</span>}
      {machine}
    </span>
  )
}
