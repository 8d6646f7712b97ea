import { Menu } from '@mantine/core'
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { MenuChoice } from '../parts/menu-entry.tsx'
import { everySession, type ListFilter } from '../state/ui.ts'
import type { SessionView } from '../../shared/state.ts'
import { FilterButton, isFiltered, type FilterChoicesProps } from './filter-button.tsx'
import { clientKinds, type ClientKind } from '../../shared/words.ts'

/** One text instead of a set: a selector must return the same value while nothing changed. */
function agentsIn(sessions: Iterable<SessionView>): string {
  const seen = new Set<ClientKind>()
  for (const { client } of sessions) seen.add(client)
  return clientKinds.filter((kind) => seen.has(kind)).join(' ')
}

export function FilterChoices({ opened, onOpened }: FilterChoicesProps) {
  const { ui } = useApp()
  const { w } = useWords()
  const filter = useUi((s) => s.filter)
  const seen = useEngine((s) => agentsIn(s.sessions.values())).split(' ')
  const agents = clientKinds.filter((kind) => seen.includes(kind))
  const set = (change: Partial<ListFilter>) => ui.setState((s) => ({ filter: { ...s.filter, ...change } }))
  const changed = isFiltered(filter)
  const some = useEngine((s) => s.machines.length > 0)
  const shows = [
    ['all', w.filter.everything],
    ['armed', w.filter.armed],
    ['paused', w.filter.paused],
  ] as const
  const sorts = [
    ['recent', w.filter.recent],
    ['name', w.filter.name],
    ['folder', w.filter.folder],
    ...(some ? [['machine', w.machines.sort] as const] : []),
  ] as const
  return (
    <Menu position="bottom-start" opened={opened} onChange={onOpened}>
      <Menu.Target>
        <FilterButton />
      </Menu.Target>
      <Menu.Dropdown aria-label={w.list.filterAndSort}>
        <Menu.Label>{w.filter.show}</Menu.Label>
        {shows.map(([show, text]) => (
          <MenuChoice key={show} one checked={filter.show === show} text={text} onClick={() => set({ show })} />
        ))}
        <MenuChoice checked={filter.ended} text={w.filter.ended} onClick={() => set({ ended: !filter.ended })} />
        <MenuChoice
          checked={filter.archived}
          text={w.filter.archived}
          onClick={() => set({ archived: !filter.archived })}
        />
        {agents.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>{w.filter.agent}</Menu.Label>
            <MenuChoice
              one
              checked={filter.agent === null}
              text={w.filter.anyAgent}
              onClick={() => set({ agent: null })}
            />
            {agents.map((agent) => (
              <MenuChoice
                key={agent}
                one
                checked={filter.agent === agent}
                text={w.agents[agent]}
                onClick={() => set({ agent })}
              />
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Label>{w.filter.sort}</Menu.Label>
        {sorts.map(([sort, text]) => (
          <MenuChoice key={sort} one checked={filter.sort === sort} text={text} onClick={() => set({ sort })} />
        ))}
        {changed && (
          <>
            <Menu.Divider />
            <MenuChoice
              one
              checked={false}
              text={w.list.clearFilter}
              onClick={() => ui.setState({ filter: everySession })}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
