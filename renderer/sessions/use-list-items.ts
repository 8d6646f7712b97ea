import { useMemo } from 'react'
import { useEngine, useUi } from '../app-context.ts'
import type { Selection } from '../state/place.ts'
import { farKey, listItems, sessionKey, terminalKey, type ListResult } from './list-items.ts'

/** The list as it stands now; made again only when what it is made from changes. */
export function useListItems(): ListResult {
  const sessions = useEngine((s) => s.sessions)
  const terminals = useEngine((s) => s.terminals)
  const machines = useEngine((s) => s.machines)
  const query = useUi((s) => s.query)
  const filter = useUi((s) => s.filter)
  const collapsed = useUi((s) => s.collapsed)
  const selected = useSelectedKey()
  return useMemo(
    () =>
      listItems(sessions.values(), terminals.values(), { text: query ?? '', filter, collapsed, selected, machines }),
    [sessions, terminals, machines, query, filter, collapsed, selected],
  )
}

export function useSelectedKey(): string | null {
  return useUi(({ place }) => {
    return place.view === 'sessions' && place.selection ? keyOf(place.selection) : null
  })
}

export const keyOf = ({ kind, id, machine }: Selection): string =>
  machine !== undefined ? farKey(machine, id) : kind === 'session' ? sessionKey(id) : terminalKey(id)
