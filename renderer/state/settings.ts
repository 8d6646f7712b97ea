/** Theme, language and the width of the list: a person's choice in this browser. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { languages, type Language } from '../../shared/words.ts'

const themes = ['light', 'dark', 'auto'] as const
export interface Settings {
  theme: (typeof themes)[number]
  /** null: the browser's, else the engine's */
  language: Language | null
  /** pixels; null: as it comes */
  listWidth: number | null
}
export type SettingsStore = StoreApi<Settings>

const key = 'onward-settings'

/** @param storage null where the browser has none; the choice then lasts as long as the page */
export function createSettingsStore(storage: Pick<Storage, 'getItem' | 'setItem'> | null): SettingsStore {
  const store = createStore<Settings>(() => settingsOf(storage?.getItem(key) ?? null))
  store.subscribe((settings) => storage?.setItem(key, JSON.stringify(settings)))
  return store
}

/** The kept text may be of another version, or written by hand: parts that do not fit are ignored. */
export function settingsOf(kept: string | null): Settings {
  const value = parsed(kept)
  return {
    theme: themes.find((theme) => 'theme' in value && theme === value.theme) ?? 'auto',
    language: languages.find((language) => 'language' in value && language === value.language) ?? null,
    listWidth: 'listWidth' in value && Number.isFinite(value.listWidth) ? Number(value.listWidth) : null,
  }
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
