import { useStore } from 'zustand'
import { useApp, useUi, useWords } from '../app-context.ts'
import { SelectField } from '../parts/select-field.tsx'
import { atMachine, isOfAll, machineOf, onlyHere } from '../state/place.ts'

const grouped = ' by machine'

/**
 * In the head of a view: whether it is of all machines, and in which order, or of one. Nothing where there is but one.
 * @param sorts a list that may stand machine by machine
 */
export function MachineChoice({ sorts = true }: { sorts?: boolean }) {
  const { here } = useApp()
  const { w } = useWords()
  const machines = useStore(here.engine, (s) => s.machines)
  const place = useUi((s) => s.place)
  const byMachine = useUi((s) => s.byMachine) && sorts
  const machine = machineOf(place)
  if (machines.length === 0 && machine === undefined) return null
  if (place.view === 'sessions' || place.view === 'settings' || place.view === 'setup') return null
  const { view } = place
  const names = machines.map(({ name }) => name)
  const all = machine === undefined || names.includes(machine) ? names : [...names, machine]
  return (
    <SelectField
      label={w.machines.title}
      hideLabel
      value={isOfAll(place) ? (byMachine ? grouped : '') : (machine ?? onlyHere)}
      onChange={(e) => {
        const { value } = e.currentTarget
        const ofAll = value === '' || value === grouped
        // they are of the machine that is left
        here.ui.setState({ record: null, providerForm: null, ...(ofAll && { byMachine: value === grouped }) })
        here.navigation.go(ofAll ? { view } : atMachine({ view }, value))
      }}
    >
      <option value="">{w.machines.every}</option>
      {sorts && <option value={grouped}>{w.machines.byMachine}</option>}
      <option value={onlyHere}>{w.machines.thisOne}</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
