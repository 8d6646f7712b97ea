import type { KeyboardEvent, ReactNode } from 'react'
import { useApp, useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { tabs as allTabs, type Tab } from '../state/place.ts'
import type { SessionView } from '../../shared/state.ts'
import { waiting } from './queue/waiting.ts'

/** The tab list of a session. Arrow keys move, the padlock says that automation holds back because of the terminal. */
export function Tabs({
  session,
  tab,
  sticky,
  children,
}: {
  session: SessionView
  tab: Tab
  sticky?: boolean
  children?: ReactNode
}) {
  const { navigation } = useApp()
  const { w } = useWords()
  const locked = useEngine((s) => {
    const hold = session.terminalId === null ? null : s.terminals.get(session.terminalId)?.hold
    return hold?.code === 'typing' || hold?.code === 'draft'
  })
  const queued = waiting(session.queue).length
  const alarms = session.nextAlarm?.waiting ?? 0
  // There are rounds only where a goal is, or was.
  const tabs = allTabs.filter(
    (name) => name !== 'rounds' || tab === 'rounds' || session.stopMessage !== null || session.lastStopMessage !== null,
  )
  const go = (to: Tab) => navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: to } })
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    go(next)
    // The list is drawn anew on some tabs: focus follows by id.
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus())
  }
  return (
    <div className={`tabs${sticky ? ' sticky' : ''}`}>
      <div role="tablist" aria-label={w.session.tabsLabel} onKeyDown={onKeyDown}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls={name === tab ? `panel-${name}` : undefined}
            aria-keyshortcuts={shortcuts[name === 'alarms' ? 'alarmsTab' : name]}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => go(name)}
          >
            {name === 'terminal' && locked && (
              <>
                <Icon name="lock" />
                <span className="sr">{w.session.held}</span>
              </>
            )}
            {w.session.tabs[name]}
            {name === 'alarms' && alarms > 0 && <span className="n">{alarms}</span>}
            {name === 'queue' && queued > 0 && <span className="n">{queued}</span>}
          </button>
        ))}
      </div>
      <span className="grow" />
      {children}
    </div>
  )
}
