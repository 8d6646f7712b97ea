import type { ReactNode } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { IconButton } from '../parts/button.tsx'
import { TabList } from '../parts/tab-list.tsx'
import { settingsPages, type SettingsPage } from '../state/place.ts'

/** Head of a page of its own below the settings: the way back, its file, its buttons, and its neighbour. */
export function PageHead({ page, path, children }: { page: SettingsPage; path: string; children?: ReactNode }) {
  const { navigation } = useApp()
  const { w } = useWords()
  const t = w.config
  return (
    <>
      <header className="pane-head wide-head">
        <IconButton icon="left" name={t.back} onClick={() => navigation.go({ view: 'settings' })} />
        <h1>{t[page]}</h1>
        <span className="meta mono cut" title={path}>
          {path}
        </span>
        <span className="grow" />
        {children}
      </header>
      <div className="tabs">
        <TabList
          label={t.pages}
          value={page}
          tabs={settingsPages.map((name) => ({ value: name, text: t[name], id: `settings-${name}` }))}
          onChange={(to) => navigation.go({ view: 'settings', page: to })}
        />
      </div>
    </>
  )
}
