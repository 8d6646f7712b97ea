import { useState } from 'react'
import { onDemand } from '../parts/on-demand.tsx'
import { FilterButton, type FilterChoicesProps } from './filter-button.tsx'

/** A menu brings as much as everything else of the first paint that is not React. */
export const filterChoices = onDemand<FilterChoicesProps>(
  async () => (await import('./filter-choices.tsx')).FilterChoices,
  ({ onOpened }) => <FilterButton onClick={() => onOpened(true)} />,
  <FilterButton disabled />,
)

/** Opened before its choices are there, it shows them when they are. */
export function FilterMenu() {
  const [opened, setOpened] = useState(false)
  return <filterChoices.Component opened={opened} onOpened={setOpened} />
}
