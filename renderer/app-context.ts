/**
 * What every component may reach: stores to read, actions to call, the clock. Made once in main.tsx, faked in tests.
 */
import { createContext, use, useMemo } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Actions } from './control/actions.ts'
import { wordsOf, type Words } from './i18n/index.ts'
import type { EngineState } from './state/engine.ts'
import type { Navigation } from './state/navigation.ts'
import type { Settings, SettingsStore } from './state/settings.ts'
import type { UiState, UiStore } from './state/ui.ts'
import type { PageClock } from './time/page-clock.ts'
import type { Language } from '../shared/words.ts'

export interface App {
  engine: StoreApi<EngineState>
  ui: UiStore
  settings: SettingsStore
  clock: PageClock
  actions: Actions
  navigation: Navigation
  /** what the browser asks for, null when we speak none of it */
  browserLanguage: Language | null
  mac: boolean
  retryNow(): void
  /** @param beforeSeq the page before that event; without it the newest page */
  loadTimeline(session: string, beforeSeq?: number): Promise<void>
  /** asks for providers and routing again, after it failed */
  loadProviders(): Promise<void>
  loadAlarms(): Promise<void>
  /** the address agents use, e.g. for copying */
  origin: string
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = use(AppContext)
  if (!app) throw new Error('AppContext is missing: render inside <AppContext value={…}>')
  return app
}

export const useEngine = <T>(select: (state: EngineState) => T): T => useStore(useApp().engine, select)
export const useUi = <T>(select: (state: UiState) => T): T => useStore(useApp().ui, select)
export const useSettings = <T>(select: (state: Settings) => T): T => useStore(useApp().settings, select)

/** A person's choice, else the browser's language, else the engine's. */
export function languageOf(app: Pick<App, 'browserLanguage'>, settings: Settings, engine: EngineState): Language {
  return settings.language ?? app.browserLanguage ?? engine.status?.language ?? 'en'
}

export function useWords(): Words {
  const app = useApp()
  const chosen = useSettings((s) => s.language)
  const engines = useEngine((s) => s.status?.language)
  const language = chosen ?? app.browserLanguage ?? engines ?? 'en'
  return useMemo(() => wordsOf(language), [language])
}

/** True while there is something to talk to; without it everything is read-only. */
export const useLive = (): boolean => useEngine((s) => s.link.kind === 'live')
