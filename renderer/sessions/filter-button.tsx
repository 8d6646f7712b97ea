import type { ComponentProps } from 'react'
import { useUi, useWords } from '../app-context.ts'
import { IconButton } from '../parts/button.tsx'
import type { ListFilter } from '../state/ui.ts'

export interface FilterChoicesProps {
  opened: boolean
  onOpened: (opened: boolean) => void
}

/** @param rest what a menu gives its target */
export function FilterButton(rest: Omit<ComponentProps<typeof IconButton>, 'icon' | 'name'>) {
  const { w } = useWords()
  const changed = useUi((s) => isFiltered(s.filter))
  return <IconButton {...rest} icon="filter" name={w.list.filterAndSort} className={changed ? 'working' : undefined} />
}

export const isFiltered = (filter: ListFilter): boolean =>
  filter.show !== 'all' || filter.agent !== null || filter.machine !== null || filter.ended || filter.archived
