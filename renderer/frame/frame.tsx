import { useUi } from '../app-context.ts'
import { ActivityView } from '../activity/activity-view.tsx'
import { AlarmsView } from '../alarms/alarms-view.tsx'
import { useShortcuts } from '../keyboard/use-shortcuts.ts'
import { ProvidersView } from '../providers/providers-view.tsx'
import { SessionsView } from '../sessions/sessions-view.tsx'
import { SettingsView } from '../settings/settings-view.tsx'
import type { View } from '../state/place.ts'
import { Banners } from './banners.tsx'
import { Dialogs } from './dialogs.tsx'
import { LiveRegion } from './live-region.tsx'
import { Rail } from './rail.tsx'
import { StatusBar } from './status-bar.tsx'

/** What a view brings: its panes, and how many there are side by side. */
const views: Record<
  View,
  { panes: 'list-and-detail' | 'wide' | 'side' | 'prov' | 'one'; Component: () => React.ReactNode }
> = {
  sessions: { panes: 'list-and-detail', Component: SessionsView },
  alarms: { panes: 'side', Component: AlarmsView },
  activity: { panes: 'wide', Component: ActivityView },
  providers: { panes: 'prov', Component: ProvidersView },
  settings: { panes: 'one', Component: SettingsView },
}

export function Frame() {
  useShortcuts()
  const view = useUi((s) => s.place.view)
  const detail = useUi((s) =>
    s.place.view === 'sessions'
      ? s.place.selection !== null
      : s.place.view === 'activity'
        ? s.record !== null
        : s.place.view === 'alarms'
          ? s.missedOpen
          : s.place.view === 'providers' && s.routingOpen,
  )
  const { panes, Component } = views[view]
  const layout =
    panes === 'list-and-detail'
      ? ''
      : panes === 'prov'
        ? ' prov'
        : panes === 'side' || (panes === 'wide' && detail)
          ? ' wide'
          : ' one'
  return (
    <div className="window">
      <Banners />
      <div className={`app${layout}`} data-pane={detail ? 'detail' : 'list'}>
        <Rail view={view} />
        <Component />
        <StatusBar />
      </div>
      <LiveRegion />
      <Dialogs />
    </div>
  )
}
