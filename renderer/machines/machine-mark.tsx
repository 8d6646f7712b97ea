import { useWords } from '../app-context.ts'

/** Where a session is: in a box what is not here. */
export function MachineMark({ machine }: { machine: string | null }) {
  const { w } = useWords()
  const title = machine === null ? w.machines.onThis : w.machines.on(machine)
  return (
    <span className={`meta mach${machine === null ? ' here' : ''}`} title={title}>
      <span aria-hidden="true">{machine ?? w.machines.here}</span>
      <span className="sr">{title}</span>
    </span>
  )
}
