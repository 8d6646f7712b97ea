/** The items of the session list, in order: group headings and rows, flat, so that it can be virtual. Pure. */
import type { MachineView } from '../../shared/machines.ts'
import type { SessionView, TerminalView } from '../../shared/state.ts'
import type { SessionShape } from '../../shared/words.ts'
import { fleetFilter, groupIds, type GroupId, type ListFilter } from '../state/ui.ts'

/** a session of another machine */
export interface FarRow {
  kind: 'far'
  key: string
  session: SessionView
  machine: string
  fleet?: string
}

export type ListRow =
  | FarRow
  | { kind: 'session'; key: string; session: SessionView }
  /** a terminal whose agent has not sent a turn yet, so that it has no session */
  | { kind: 'terminal'; key: string; terminal: TerminalView }

/** `pos` of `of`: where it stands among its siblings, from 1, for screen readers of a virtual list */
export type ListItem = ({ kind: 'head'; key: string; group: GroupId; count: number; open: boolean } | ListRow) & {
  pos: number
  of: number
}

export interface ListQuery {
  text: string
  filter: ListFilter
  collapsed: ReadonlySet<GroupId>
  /** shown even where a filter hides it */ selected: string | null
  /** other ones, with their sessions */
  machines?: readonly MachineView[]
}

export interface ListResult {
  items: readonly ListItem[]
  /** rows of all groups, closed ones included */
  total: number
  /** ended sessions that match but are not shown */
  hiddenEnded: number
}

const groupOf: Record<SessionShape, GroupId> = {
  needs: 'needs',
  failed: 'failed',
  working: 'working',
  held: 'working',
  idle: 'idle',
  paused: 'idle',
  done: 'done',
  gone: 'ended',
}

export const sessionKey = (id: string): string => `session:${id}`
export const farKey = (machine: string, id: string): string => `far:${machine}:${id}`
export const terminalKey = (id: string): string => `terminal:${id}`

export function listItems(
  sessions: Iterable<SessionView>,
  terminals: Iterable<TerminalView>,
  query: ListQuery,
): ListResult {
  const rows = new Map<GroupId, ListRow[]>(groupIds.map((id) => [id, []]))
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  let hiddenEnded = 0
  const own = [...sessions].map((session): ListRow & { session: SessionView } => ({
    kind: 'session',
    key: sessionKey(session.id),
    session,
  }))
  for (const row of [...own, ...(query.machines ?? []).flatMap(farRows)]) {
    const { session, key } = row
    const { machine, fleet } = row.kind === 'far' ? row : { machine: '', fleet: undefined }
    const wanted = query.filter.machine
    if (
      (wanted !== null && wanted !== machine && (fleet === undefined || wanted !== fleetFilter(fleet))) ||
      (session.archived && !query.filter.archived) ||
      !fits(session, query.filter) ||
      !matches(words, [
        session.name,
        session.cwd,
        session.client,
        machine,
        fleet,
        session.model,
        session.route?.model,
        session.route?.provider,
        ...textsOf(session),
      ])
    )
      continue
    const group = groupOf[session.shape]
    if (group === 'ended' && !query.filter.ended && key !== query.selected) {
      hiddenEnded++
      continue
    }
    rows.get(group)?.push(row)
  }
  for (const terminal of terminals) {
    const key = terminalKey(terminal.id)
    if (
      terminal.sessionId !== null ||
      (query.filter.machine ?? '') !== '' ||
      !matches(words, [terminal.name, terminal.cwd, terminal.client, terminal.command])
    )
      continue
    if (query.filter.show !== 'all' || (query.filter.agent !== null && query.filter.agent !== terminal.client)) continue
    if (!terminal.alive && !query.filter.ended && key !== query.selected) continue
    const group = !terminal.alive ? 'ended' : terminal.fresh?.shape === 'needs' ? 'needs' : 'idle'
    rows.get(group)?.push({ kind: 'terminal', key, terminal })
  }
  const items: ListItem[] = []
  let total = 0
  const filled = groupIds.filter((group) => (rows.get(group) ?? []).length > 0)
  for (const [index, group] of filled.entries()) {
    const found = rows.get(group) ?? []
    total += found.length
    const open = !query.collapsed.has(group)
    items.push({
      kind: 'head',
      key: `head:${group}`,
      group,
      count: found.length,
      open,
      pos: index + 1,
      of: filled.length,
    })
    if (!open) continue
    for (const [at, row] of found.toSorted(order(group, query.filter.sort)).entries())
      items.push({ ...row, pos: at + 1, of: found.length })
  }
  return { items, total, hiddenEnded }
}

const farRows = ({ name, fleet, sessions }: MachineView): FarRow[] =>
  sessions.map((session) => ({
    kind: 'far',
    key: farKey(name, session.id),
    session,
    machine: name,
    ...(fleet && { fleet: fleet.name }),
  }))

/** What it is told and what waits for it, which is found as well as its name. */
export const textsOf = (session: SessionView): readonly string[] => [
  ...[session.stopMessage, session.lastStopMessage, session.leftGoal].flatMap((goal) => (goal ? [goal.text] : [])),
  ...session.queue.map(({ text }) => text),
  ...(session.heldMarkers ?? []).map(({ marker }) => marker),
  ...(session.nextAlarm ? [session.nextAlarm.task] : []),
]

function fits(session: SessionView, filter: ListFilter): boolean {
  if (filter.agent !== null && session.client !== filter.agent) return false
  switch (filter.show) {
    case 'all':
      return true
    case 'armed':
      return session.stopMessage !== null
    case 'paused':
      return session.paused || session.shape === 'paused' || session.say.code === 'paused'
  }
}

const matches = (words: readonly string[], places: readonly (string | null | undefined)[]): boolean => {
  if (words.length === 0) return true
  const text = places.filter(Boolean).join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Rows that work keep their place: by start, not by an activity that changes with every token. */
function order(group: GroupId, sort: ListFilter['sort']): (a: ListRow, b: ListRow) => number {
  return (a, b) =>
    Number(pinned(b)) - Number(pinned(a)) ||
    bySort(a, b, group, sort) ||
    started(b) - started(a) ||
    (a.key < b.key ? -1 : 1)
}

function bySort(a: ListRow, b: ListRow, group: GroupId, sort: ListFilter['sort']): number {
  switch (sort) {
    case 'recent':
      return group === 'working' ? 0 : lastActivity(b) - lastActivity(a)
    case 'name':
      return nameOf(a).localeCompare(nameOf(b))
    case 'machine':
      return machineOf(a).localeCompare(machineOf(b)) || nameOf(a).localeCompare(nameOf(b))
    case 'folder':
      return (folder(a) ?? '').localeCompare(folder(b) ?? '')
  }
}

export const nameOf = (row: ListRow): string => (row.kind === 'terminal' ? row.terminal.name : row.session.name)
/** this one comes first */
const machineOf = (row: ListRow): string => (row.kind === 'far' ? row.machine : '')
const pinned = (row: ListRow): boolean => row.kind !== 'terminal' && row.session.pinned
const started = (row: ListRow): number => (row.kind === 'terminal' ? row.terminal.openedAt : row.session.startedAt)
const lastActivity = (row: ListRow): number =>
  row.kind === 'terminal' ? row.terminal.openedAt : row.session.lastActivityAt
const folder = (row: ListRow): string | null => (row.kind === 'terminal' ? row.terminal.cwd : row.session.cwd)
