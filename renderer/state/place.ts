/** Where in the dashboard a person is, as the address's fragment says it: `#/session/<id>/queue`. Pure. */
export const views = ['sessions', 'alarms', 'activity', 'providers', 'settings'] as const
export type View = (typeof views)[number]

export const tabs = ['timeline', 'terminal', 'queue', 'alarms', 'details', 'rounds', 'drives'] as const
export type Tab = (typeof tabs)[number]

/** `machine`: another one, on which it is */
export type Selection = ({ kind: 'session'; id: string; tab: Tab } | { kind: 'terminal'; id: string }) & OfMachine
export interface OfMachine {
  machine?: string
}
/** in the place of another machine's name, which it can't be: this one alone, where all of them are shown otherwise */
export const onlyHere = 'local'
/** Pages of their own below the settings. */
export const settingsPages = ['config', 'logs'] as const
export type SettingsPage = (typeof settingsPages)[number]

export type Place =
  | { view: 'sessions'; selection: Selection | null }
  /** `line`: of the config file, from 1 */
  | { view: 'settings'; page?: SettingsPage; line?: number }
  /** `machine`: another one, of which it is told */
  | ({ view: Exclude<View, 'sessions' | 'settings'> } & OfMachine)
  /** the first steps: no view of its own among the others, and led to from wherever there is nothing yet */
  | { view: 'setup' }

export const home: Place = { view: 'sessions', selection: null }

const chosenOf = (place: Place): string | undefined =>
  place.view === 'sessions' ? place.selection?.machine : 'machine' in place ? place.machine : undefined

/** The other machine that a place is about; undefined: it is about this one, or about all of them. */
export function machineOf(place: Place): string | undefined {
  const machine = chosenOf(place)
  return machine === onlyHere ? undefined : machine
}

/** It is about all machines, where there are several. */
export const isOfAll = (place: Place): place is Extract<Place, { view: 'alarms' | 'activity' | 'providers' }> =>
  (place.view === 'alarms' || place.view === 'activity' || place.view === 'providers') && place.machine === undefined

/** The same place of another machine; settings and lists of all sessions have none of their own. */
export function atMachine(place: Place, machine: string): Place {
  switch (place.view) {
    case 'sessions':
      return place.selection && machine !== onlyHere ? { ...place, selection: { ...place.selection, machine } } : place
    case 'alarms':
    case 'activity':
    case 'providers':
      return { ...place, machine }
    default:
      return place
  }
}

/** Unknown places lead home: links only navigate, they never fail. */
export function placeOf(path: string): Place {
  const [first = '', id = '', tab = '', ...more] = path.replace(/^\/+/, '').split('/').map(decode)
  if (first === 'on' && id) return atMachine(placeOf([tab, ...more].map(encodeURIComponent).join('/')), id)
  if (first === 'session' && id)
    return { view: 'sessions', selection: { kind: 'session', id, tab: tabs.find((t) => t === tab) ?? 'timeline' } }
  if (first === 'terminal' && id) return { view: 'sessions', selection: { kind: 'terminal', id } }
  if (first === 'setup') return { view: 'setup' }
  if (first === 'settings') return settingsPlace(id, tab)
  const view = views.find((v) => v === first)
  return view === undefined || view === 'sessions' || view === 'settings' ? home : { view }
}

function settingsPlace(id: string, at: string): Place {
  const page = settingsPages.find((p) => p === id)
  if (page === undefined) return { view: 'settings' }
  return page === 'config' && /^[1-9]\d{0,6}$/.test(at)
    ? { view: 'settings', page, line: Number(at) }
    : { view: 'settings', page }
}

export function pathOf(place: Place): string {
  const machine = chosenOf(place)
  return machine === undefined ? pathThere(place) : `/on/${encodeURIComponent(machine)}${pathThere(place)}`
}

function pathThere(place: Place): string {
  if (place.view === 'settings')
    return ['/settings', place.page, place.line].filter((part) => part !== undefined).join('/')
  if (place.view !== 'sessions') return `/${place.view}`
  const { selection } = place
  if (!selection) return '/sessions'
  return selection.kind === 'terminal'
    ? `/terminal/${encodeURIComponent(selection.id)}`
    : `/session/${encodeURIComponent(selection.id)}${selection.tab === 'timeline' ? '' : `/${selection.tab}`}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

/**
 * The content of a fragment: `#token=…&place=session%2Fabc` from a host, `#pair=…` of a pairing code, `#/session/abc`
 * from the page itself.
 */
export interface Fragment {
  token: string | null
  pair: string | null
  path: string
  newTerminal: boolean
}

export function readFragment(hash: string): Fragment {
  const text = hash.replace(/^#/, '')
  if (text === '' || text.startsWith('/'))
    return { token: null, pair: null, path: text, newTerminal: text === '/new-terminal' }
  const params = new URLSearchParams(text)
  const place = params.get('place') ?? ''
  return {
    token: params.get('token') || null,
    pair: params.get('pair') || null,
    path: `/${place.replace(/^\/+/, '')}`,
    newTerminal: place === 'new-terminal',
  }
}
