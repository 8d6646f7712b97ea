import type { ReactNode } from 'react'
import { useApp, useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { TabList, type TabShown } from '../parts/tab-list.tsx'
import { tabs as allTabs, type Tab } from '../state/place.ts'
import { isOpen } from '../../shared/drives.ts'
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
  const count: Partial<Record<Tab, number>> = {
    alarms: session.nextAlarm?.waiting ?? 0,
    queue: waiting(session.queue).length,
    drives: session.drives?.filter(isOpen).length ?? 0,
  }
  // There are rounds only where a goal is, or was, and drives where some were seen.
  const there = (name: Tab): boolean =>
    name === 'rounds'
      ? session.stopMessage !== null || session.lastStopMessage !== null
      : name !== 'drives' || session.drives !== undefined
  const tabs = allTabs.filter((name) => name === tab || there(name))
  const go = (to: Tab) => navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: to } })
  const shown = (name: Tab): TabShown<Tab> => ({
    value: name,
    text: w.session.tabs[name],
    id: `tab-${name}`,
    panel: `panel-${name}`,
    keys: shortcuts[name === 'alarms' ? 'alarmsTab' : name],
    before: name === 'terminal' && locked && (
      <>
        <Icon name="lock" />
        <span className="sr">{w.session.held}</span>
      </>
    ),
    after: count[name] ? <span className="n">{count[name]}</span> : null,
  })
  return (
    <div className={`tabs${sticky ? ' sticky' : ''}`}>
      <TabList label={w.session.tabsLabel} value={tab} tabs={tabs.map(shown)} onChange={go} />
      <span className="grow" />
      {children}
    </div>
  )
}
