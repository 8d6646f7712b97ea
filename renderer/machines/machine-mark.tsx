import { useWords } from '../app-context.ts'

/** Where a session is: in a box what is not here. */
export function MachineMark({ machine }: { machine: string | null }) {
  const { w } = useWords()
  return machine === null ? (
    <span className="meta mach here" title={w.machines.onThis}>
      {w.machines.here}
    </span>
  ) : (
    <span className="meta mach cut" title={w.machines.on(machine)}>
      {machine}
    </span>
  )
}
