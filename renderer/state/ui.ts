/** A person's choices of what to see. Nothing here is known to the engine. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AlarmView } from '../../shared/alarms/alarms.ts'
import type { CheckView } from '../../shared/review.ts'
import type { ClientKind } from '../../shared/words.ts'
import type { OpenForm } from '../providers/edit/open-form.ts'
import { firstRunStart, type FirstRunState } from '../first-run/outcome.ts'
import { home, type OfMachine, type Place, type Selection } from './place.ts'

export const groupIds = ['needs', 'failed', 'working', 'idle', 'done', 'ended'] as const
export type GroupId = (typeof groupIds)[number]

export interface ListFilter {
  show: 'all' | 'armed' | 'paused'
  agent: ClientKind | null
  ended: boolean
  archived: boolean
  /** null: of all; empty: of this one */
  machine: string | null
  sort: 'recent' | 'name' | 'folder' | 'machine'
}
/** As `machine` names all engines of a fleet: no machine has a colon in its name. */
export const fleetFilter = (fleet: string): string => `fleet:${fleet}`

export const everySession: ListFilter = {
  show: 'all',
  agent: null,
  ended: false,
  archived: false,
  machine: null,
  sort: 'recent',
}

/** `all`: of the conversation; `asides`: and what its agent asks beside it */
export type TimelineFilter = 'all' | 'asides' | 'automation' | 'problems'

export type AlarmFilter = 'all' | AlarmView['setBy']

/** The one form that sets or changes an alarm. */
export type AlarmForm =
  /** `session` null: the person chooses; `task`: its first text */
  | ({ kind: 'new'; session: string | null; task?: string } & OfMachine)
  /** `alarm` as it was when its edit began */
  | { kind: 'edit'; alarm: AlarmView & OfMachine }
  /** a missed one, by key */
  | ({ kind: 'reschedule'; missed: string } & OfMachine)

export type Dialog =
  /** `typed`: letters that came before its field was there */
  | { kind: 'palette'; typed?: string }
  | { kind: 'new-terminal' }
  | { kind: 'shortcuts' }
  | { kind: 'close-terminal'; terminal: string }
  | { kind: 'rename-terminal'; terminal: string }
  | { kind: 'delete-session'; session: string }
  | { kind: 'add-provider' }
  /** a person's decision on a check; `check` and `folder` as they are when it is asked */
  | { kind: 'approve-check'; session: string; folder: string; check: CheckView }

export interface UiState {
  place: Place
  /** what was last looked at in Sessions: coming back leads there */
  lastSelection: Selection | null
  /** search text of the list; null while the search is closed */
  query: string | null
  filter: ListFilter
  collapsed: ReadonlySet<GroupId>
  /** list item under the keyboard, by key */
  active: string | null
  timelineFilter: TimelineFilter
  /** words that are looked for in the timeline; null: none are */
  timelineQuery: string | null
  openWhys: ReadonlySet<string>
  /** timeline row under the keyboard, by key */
  activeRow: string | null
  dialog: Dialog | null
  /** session whose name is being edited */
  renaming: string | null
  /** session whose goal is being edited */
  editingGoal: string | null
  /** session that gets another check */
  addingCheck: string | null
  /** sessions where the followup is shown in the place of its review */
  followupCards: ReadonlySet<string>
  /** queue entry being edited */
  editingEntry: string | null
  findInTerminal: boolean
  /** how far back Activity looks */
  activityHours: 24 | 168 | 720
  activityTab: 'turns' | 'cost' | 'report'
  /** how far back its costs reach */
  costDays: 1 | 7 | 30
  /** where its report begins: 18:00 of the day before, or so many hours ago */
  reportRange: 'evening' | '8' | '24'
  /** request id of the record shown in Activity */
  record: string | null
  /** below 1100 px: Routing lies over the providers */
  routingOpen: boolean
  /** where providers of all machines are shown, the other one whose routing stands beside them; null: this one */
  routingOf: string | null
  /** the provider that is edited */
  providerForm: OpenForm | null
  alarmFilter: AlarmFilter
  /** lists of all machines stand machine by machine */
  byMachine: boolean
  /** alarm under the keyboard, as `alarmKey` has it */
  activeAlarm: string | null
  alarmForm: AlarmForm | null
  /** an edit of the config file that is not saved yet: leaving its page loses nothing */
  configDraft: { text: string; base: { text: string; revision: string } } | null
  /** below 1100 px: the missed alarms lie over the others */
  missedOpen: boolean
  /** how far the first steps have come */
  firstRun: FirstRunState
}

export type UiStore = StoreApi<UiState>

export const createUiStore = (place: Place = home): UiStore =>
  createStore<UiState>(() => ({
    place,
    lastSelection: null,
    query: null,
    filter: everySession,
    collapsed: new Set<GroupId>(),
    active: null,
    timelineFilter: 'all',
    timelineQuery: null,
    openWhys: new Set<string>(),
    activeRow: null,
    dialog: null,
    renaming: null,
    editingGoal: null,
    addingCheck: null,
    followupCards: new Set<string>(),
    editingEntry: null,
    findInTerminal: false,
    routingOpen: false,
    routingOf: null,
    providerForm: null,
    activityHours: 24,
    activityTab: 'turns',
    costDays: 7,
    reportRange: 'evening',
    record: null,
    alarmFilter: 'all',
    byMachine: false,
    activeAlarm: null,
    alarmForm: null,
    missedOpen: false,
    configDraft: null,
    firstRun: firstRunStart,
  }))

/** @returns a new set with `item` flipped */
export function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
