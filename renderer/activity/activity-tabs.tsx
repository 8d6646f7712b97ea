import { useApp, useUi, useWords } from '../app-context.ts'

const tabs = ['turns', 'cost', 'report'] as const

/** The tabs of Activity: its turns, their costs, or a report on the time a person was away. */
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
          className="m-tab"
          aria-current={tab === shown ? 'page' : undefined}
          onClick={() => ui.setState({ activityTab: tab, record: null })}
        >
          {tab === 'report' ? w.report.tab : w.cost[tab]}
        </button>
      ))}
    </nav>
  )
}
