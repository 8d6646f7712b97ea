/**
 * Everything a component may use: stores to read, actions to call, the clock. Made once in main.tsx, faked in tests.
 */
import { createContext, use, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Actions } from './control/actions.ts'
import { may } from './control/may.ts'
import { wordsFrom, type Words } from './i18n/index.ts'
import type { Speech } from './i18n/speech.ts'
import type { EngineState } from './state/engine.ts'
import type { Navigation } from './state/navigation.ts'
import { isOfAll, machineOf, type OfMachine } from './state/place.ts'
import type { Settings, SettingsStore } from './state/settings.ts'
import type { UiState, UiStore } from './state/ui.ts'
import type { PageClock } from './time/page-clock.ts'
import { showZone } from '../shared/sentences/shown-zone.ts'
import { rightsAt, waitsAtHub } from '../shared/fleet.ts'
import type { OperationName } from '../shared/operations/index.ts'
import { rightOf } from '../shared/operations/rights.ts'
import type { Language } from '../shared/words.ts'

export interface App {
  engine: StoreApi<EngineState>
  ui: UiStore
  settings: SettingsStore
  clock: PageClock
  speech: Speech
  actions: Actions
  navigation: Navigation
  /** what the browser asks for, null when we speak none of it */
  browserLanguage: Language | null
  mac: boolean
  /** how the command line was called when this browser last heard of it; null: it never did */
  lastCommand: string | null
  /** not null: this page was opened by a pairing code. `pair` answers why it did not work; null: it did */
  pairing: { pair(name: string): Promise<string | null> } | null
  /** this browser came with a key of its own */
  isDevice(): boolean
  retryNow(): void
  /** @param beforeSeq the page before that event; without it the newest page */
  loadTimeline(session: string, beforeSeq?: number): Promise<void>
  /** asks for providers and routing again, after it failed */
  loadProviders(): Promise<void>
  loadAlarms(): Promise<void>
  /** the address agents use, e.g. for copying */
  origin: string
  /** another machine, whose engine `engine` and `actions` are about; null: this one */
  machine: string | null
  /** this page's own engine */
  here: App
  /** the same page with the engine of another machine in the place of its own */
  there(machine: string): App
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = use(AppContext)
  if (!app) throw new Error('AppContext is missing: render inside <AppContext value={…}>')
  return app
}

/** The engine that the present place is about. */
export function useShownApp(): App {
  const { here } = useApp()
  const machine = useUi((s) => machineOf(s.place))
  return machine === undefined ? here : here.there(machine)
}

/** The engine that something of a list of many machines belongs to; of one without a name that of the list. */
export const appOf = (app: App, { machine }: OfMachine): App => (machine === undefined ? app : app.there(machine))

/** Whether the present place shows what all machines have: there are several, and none was chosen. */
export const useOfAll = (): boolean => {
  const { here } = useApp()
  const several = useStore(here.engine, (s) => s.machines.length > 0)
  return useUi((s) => isOfAll(s.place)) && several
}

/** This page's engine, and where a place is about all machines those of the others. */
export function useShownApps(): readonly App[] {
  const app = useApp()
  const all = useOfAll()
  const machines = useStore(app.here.engine, (s) => s.machines)
  // Their states change all the time, their names hardly ever.
  const names = all ? JSON.stringify(machines.map(({ name }) => name)) : null
  return useMemo(
    () => (names === null ? [app] : [app.here, ...(JSON.parse(names) as string[]).map((name) => app.here.there(name))]),
    [app, names],
  )
}

/**
 * What is known of the same in each of these engines, in their order. @param select must give what stands in a store
 */
export function useOfEach<T>(apps: readonly App[], select: (state: EngineState) => T): readonly T[] {
  const known = useRef<readonly T[]>([])
  return useSyncExternalStore(
    useCallback(
      (changed) => {
        const ends = apps.map(({ engine }) => engine.subscribe(changed))
        return () => ends.forEach((end) => end())
      },
      [apps],
    ),
    () => {
      const now = apps.map(({ engine }) => select(engine.getState()))
      if (now.length !== known.current.length || now.some((one, i) => one !== known.current[i])) known.current = now
      return known.current
    },
  )
}

export const useEngine = <T>(select: (state: EngineState) => T): T => useStore(useApp().engine, select)
export const useUi = <T>(select: (state: UiState) => T): T => useStore(useApp().ui, select)
export const useSettings = <T>(select: (state: Settings) => T): T => useStore(useApp().settings, select)

/** A person's choice, else the browser's language, else the engine's. */
export function languageOf(browser: Language | null, chosen: Language | null, engines?: Language): Language {
  return chosen ?? browser ?? engines ?? 'en'
}

/** Has the page speak the language that is asked for, as soon as it is loaded. */
export function useWantedLanguage(): void {
  const { speech, browserLanguage } = useApp()
  const chosen = useSettings((s) => s.language)
  const engines = useEngine((s) => s.status?.language)
  const wanted = languageOf(browserLanguage, chosen, engines)
  useEffect(() => speech.want(wanted), [speech, wanted])
}

export function useWords(): Words {
  const spoken = useStore(useApp().speech.spoken)
  // Times are told alike all over the page, also those of another machine.
  const zone = useStore(useApp().here.engine, (s) => s.status?.zone)
  // New words for a new zone, so that whatever was made with the old ones is made again.
  return useMemo(() => {
    showZone(zone)
    return wordsFrom(spoken, zone)
  }, [spoken, zone])
}

/** How this engine's command line is called in the person's shell. */
export function useCommand(): string {
  const { lastCommand } = useApp()
  // an engine of a fleet gives no texts of its own away
  return useEngine((s) => s.status?.command || null) ?? lastCommand ?? 'onward'
}

/** @param operation none: it needs no leave. What may not be done here may not be done elsewhere from here */
export function useMay(operation: OperationName | undefined): boolean {
  const held = useHeldBack(operation)
  return useStore(useApp().here.engine, (s) => operation === undefined || may(s, operation)) && held === null
}

/**
 * True while there is something to talk to; without it everything is read-only.
 * @param operation may wait at the hub where an engine of the fleet is away
 */
export const useLive = (operation?: OperationName): boolean =>
  useEngine(
    ({ link }) => link.kind === 'live' || (link.kind === 'stopped' && link.kept === true && waitsAtHub(operation)),
  )

/** Names the other machine whose engine is away, so that what was not asked before is not known; null: it is there. */
export function useAway(): string | null {
  const { machine } = useApp()
  return useEngine(({ link }) => (link.kind === 'stopped' ? machine : null))
}

/** Says why this page may not ask an engine of the fleet for what others may; null: it may, or nobody may. */
export function useHeldBack(operation: OperationName | undefined): string | null {
  const { machine, here } = useApp()
  const { w } = useWords()
  const fleet = useStore(here.engine, ({ machines }) => machines.find(({ name }) => name === machine)?.fleet)
  const right = operation === undefined ? null : rightOf(operation)
  if (machine === null || !fleet || right === null || rightsAt(fleet)?.includes(right) !== false) return null
  return fleet.refused?.includes(right) ? w.machines.heldByHub(machine) : w.machines.heldByEngine(machine)
}
