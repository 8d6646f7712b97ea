import { lazy, Suspense } from 'react'
import { useMay, useUi } from '../app-context.ts'
import { SettingsView } from './settings-view.tsx'

// Pages that few people open are loaded when they do.
const ConfigPage = lazy(async () => ({ default: (await import('./config/config-page.tsx')).ConfigPage }))

const LogsPage = lazy(async () => ({ default: (await import('./log/logs-page.tsx')).LogsPage }))

/** The settings, or one of their own pages. */
export function SettingsPlace() {
  const page = useUi(({ place }) => (place.view === 'settings' ? place.page : undefined))
  const mayRead = useMay(page === 'logs' ? 'logPage' : 'configText')
  if (page === undefined || !mayRead) return <SettingsView />
  return (
    <Suspense fallback={<main className="pane" aria-busy="true" />}>
      {page === 'config' ? <ConfigPage /> : <LogsPage />}
    </Suspense>
  )
}
