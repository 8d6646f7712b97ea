/** Theme and language: a person's choice in this browser. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { z } from 'zod'
import { languages } from '../../shared/words.ts'

const settingsSchema = z.object({
  theme: z.enum(['light', 'dark', 'auto']).catch('auto'),
  /** null: the browser's, else the engine's */
  language: z.enum(languages).nullable().catch(null),
})
export type Settings = z.infer<typeof settingsSchema>
export type SettingsStore = StoreApi<Settings>

const key = 'onward-settings'

/** @param storage null where the browser has none; the choice then lasts as long as the page */
export function createSettingsStore(storage: Pick<Storage, 'getItem' | 'setItem'> | null): SettingsStore {
  const store = createStore<Settings>(() => settingsSchema.parse(parsed(storage?.getItem(key) ?? null)))
  store.subscribe((settings) => storage?.setItem(key, JSON.stringify(settings)))
  return store
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
