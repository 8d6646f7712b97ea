import { useApp, useUi, useWords } from '../app-context.ts'

const tabs = ['turns', 'cost', 'report'] as const

/** What Activity shows: its turns, what they cost, or what happened while a person was away. */
export function ActivityTabs() {
  const { ui } = useApp()
  const { w } = useWords()
  const shown = useUi((state) => state.activityTab)
  return (
    <nav className="tabs m-tabs" aria-label={w.cost.tabs}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          aria-current={tab === shown ? 'page' : undefined}
          onClick={() => ui.setState({ activityTab: tab, record: null })}
        >
          {tab === 'report' ? w.report.tab : w.cost[tab]}
        </button>
      ))}
    </nav>
  )
}
