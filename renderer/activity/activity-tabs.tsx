import { useApp, useUi, useWords } from '../app-context.ts'

const tabs = ['turns', 'cost'] as const

/** What Activity shows: its turns, or what they cost. */
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
          {w.cost[tab]}
        </button>
      ))}
    </nav>
  )
}
