import type { KeyboardEvent, ReactNode } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { IconButton } from '../parts/button.tsx'
import { settingsPages, type SettingsPage } from '../state/place.ts'

/** Head of a page of its own below the settings: the way back, its file, its buttons, and its neighbour. */
export function PageHead({ page, path, children }: { page: SettingsPage; path: string; children?: ReactNode }) {
  const { navigation } = useApp()
  const { w } = useWords()
  const t = w.config
  const go = (to: SettingsPage) => navigation.go({ view: 'settings', page: to })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other = settingsPages.find((p) => p !== page)
    if (!other) return
    go(other)
    requestAnimationFrame(() => document.getElementById(`settings-${other}`)?.focus())
  }
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
        <div role="tablist" aria-label={t.pages} onKeyDown={onKeyDown}>
          {settingsPages.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`settings-${name}`}
              aria-selected={name === page}
              tabIndex={name === page ? 0 : -1}
              onClick={() => go(name)}
            >
              {t[name]}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}
