import { useStore } from 'zustand'
import { useApp, useWords } from '../app-context.ts'
import { SelectField } from '../parts/select-field.tsx'

/**
 * The machine on which something is done: that of the form around it. Not asked where there is but one. `opens`: a
 * terminal, which the hub of a fleet does not carry.
 */
export function WhereField({
  label,
  opens = false,
  onMachine,
}: {
  label?: string
  opens?: boolean
  onMachine: (machine: string | null) => void
}) {
  const { machine, here } = useApp()
  const { w } = useWords()
  const machines = useStore(here.engine, (s) => s.machines).filter(({ fleet }) => !(opens && fleet))
  if (machines.length === 0) return null
  return (
    <SelectField
      label={label ?? w.machines.where}
      hideLabel={label !== undefined}
      value={machine ?? ''}
      onChange={(e) => onMachine(e.currentTarget.value || null)}
    >
      <option value="">{w.machines.thisOne}</option>
      {machines.map(({ name, state }) => (
        <option key={name} value={name} disabled={state.kind !== 'there'}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
