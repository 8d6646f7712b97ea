import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { LocalKeyView, SettingName, SettingsView, SettingView } from '../../../shared/settings.ts'
import { useApp, useEngine, useLive } from '../../app-context.ts'

const Views = createContext<SettingsView | null>(null)

/** Asks for all single settings once, and again whenever the config is another one. */
export function SettingViews({ children }: { children: ReactNode }) {
  const { actions } = useApp()
  const live = useLive()
  const revision = useEngine((s) => s.status?.configRevision ?? null)
  const [views, setViews] = useState<SettingsView | null>(null)
  useEffect(() => {
    if (!live) return undefined
    let over = false
    void actions
      .ask((c) => c.settings.query())
      .then((outcome) => {
        if (!over && outcome.ok) setViews(outcome.value)
      })
    return () => {
      over = true
    }
  }, [actions, live, revision])
  return <Views value={views}>{children}</Views>
}

/** null: not known yet */
export const useSettingView = (name: SettingName): SettingView | null =>
  use(Views)?.settings.find((one) => one.name === name) ?? null

const none: readonly LocalKeyView[] = []
export const useLocalKeys = (): readonly LocalKeyView[] => use(Views)?.keys ?? none
