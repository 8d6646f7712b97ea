import { useApp, useUi, useWords } from '../app-context.ts'
import { SelectField } from '../parts/select-field.tsx'
import { atMachine, machineOf } from '../state/place.ts'
import { useStore } from 'zustand'

/** In the head of a view that is told of one machine at a time; nothing where there is but one. */
export function MachineChoice() {
  const { here } = useApp()
  const { w } = useWords()
  const machines = useStore(here.engine, (s) => s.machines)
  const place = useUi((s) => s.place)
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
      value={machine ?? ''}
      onChange={(e) => {
        const { value } = e.currentTarget
        // they are of the machine that is left
        here.ui.setState({ record: null, providerForm: null })
        here.navigation.go(value === '' ? { view } : atMachine({ view }, value))
      }}
    >
      <option value="">{w.machines.thisOne}</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
