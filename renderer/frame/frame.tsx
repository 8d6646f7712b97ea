import { type CSSProperties, useEffect } from 'react'
import { AppContext, useEngine, useSettings, useShownApp, useUi, useWords, useApp } from '../app-context.ts'
import { Icon, type IconName, Mark } from '../icons/icon.tsx'
import { ariaKeys, shortcuts } from '../keyboard/shortcuts.ts'
import { useShortcuts } from '../keyboard/use-shortcuts.ts'
import { MachineLine } from '../machines/machine-line.tsx'
import { Key } from '../parts/key.tsx'
import { onDemand, type OnDemand } from '../parts/on-demand.tsx'
import { Tip } from '../parts/tip.tsx'
import { filterChoices } from '../sessions/filter-menu.tsx'
import { rows as sessionRows } from '../sessions/list-pane.tsx'
import { detail as sessionDetail, SessionsView } from '../sessions/sessions-view.tsx'
import { lastSeen, needYou } from '../state/engine.ts'
import { widthInCss } from '../state/list-width.ts'
import { type View, pathOf, type Place } from '../state/place.ts'
import { Banners } from './banners.tsx'
import { StatusBar } from './status-bar.tsx'

/** Answer keys: they are fetched first, and a key that is pressed before is followed when they are there. */
const dialogs = onDemand(async () => (await import('./dialogs.tsx')).Dialogs, null)

/** Loaded after the first paint: nearly all visits begin with the sessions. */
const alarms = onDemand(async () => (await import('../alarms/alarms-view.tsx')).AlarmsView)
const activity = onDemand(async () => (await import('../activity/activity-view.tsx')).ActivityView)
const providers = onDemand(async () => (await import('../providers/providers-view.tsx')).ProvidersView)
const settings = onDemand(async () => (await import('../settings/settings-place.tsx')).SettingsPlace)
const firstSteps = onDemand(async () => (await import('../first-run/first-run-view.tsx')).FirstRunView)

/** The parts of a view: its panes, and how many there are side by side. */
const views: Record<
  View,
  { panes: 'list-and-detail' | 'wide' | 'side' | 'prov' | 'one'; Component: OnDemand['Component'] }
> = {
  sessions: { panes: 'list-and-detail', Component: SessionsView },
  alarms: { panes: 'side', Component: alarms.Component },
  activity: { panes: 'wide', Component: activity.Component },
  providers: { panes: 'prov', Component: providers.Component },
  settings: { panes: 'one', Component: settings.Component },
}

/** Once the first view is there the others come, too: a click finds its view, also while the engine restarts. */
function useOtherViews() {
  useEffect(() => {
    for (const part of [sessionRows, sessionDetail, filterChoices, dialogs]) part.load()
    const timer = setTimeout(() => {
      for (const view of [alarms, activity, providers, settings, firstSteps]) view.load()
    }, 500)
    return () => clearTimeout(timer)
  }, [])
}

export function Frame() {
  const shown = useShownApp()
  useShortcuts(shown)
  useOtherViews()
  const view = useUi((s) => s.place.view)
  const asked = useUi((s) => s.dialog !== null)
  const detail = useUi((s) =>
    s.place.view === 'sessions'
      ? s.place.selection !== null
      : s.place.view === 'activity'
        ? s.record !== null
        : s.place.view === 'alarms'
          ? s.missedOpen
          : s.place.view === 'providers' && s.routingOpen,
  )
  return (
    <div className="window">
      <Banners />
      {view !== 'sessions' && (
        <AppContext value={shown}>
          <MachineLine />
        </AppContext>
      )}
      {view === 'setup' ? <firstSteps.Component /> : <UsualView view={view} detail={detail} />}
      <LiveRegion />
      {asked && (
        <AppContext value={shown}>
          <dialogs.Component />
        </AppContext>
      )}
    </div>
  )
}

function UsualView({ view, detail }: { view: View; detail: boolean }) {
  const shown = useShownApp()
  const listWidth = useSettings((s) => s.listWidth)
  const stale = useEngine((s) => s.status !== null && lastSeen(s) !== null)
  const width: (CSSProperties & { '--list': string }) | undefined =
    listWidth === null ? undefined : { '--list': widthInCss(listWidth) }
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
    <div className={`app${layout}${stale ? ' stale' : ''}`} data-pane={detail ? 'detail' : 'list'} style={width}>
      <Rail view={view} />
      {view === 'sessions' ? (
        <Component />
      ) : (
        <AppContext value={shown}>
          <Component key={shown.machine ?? ''} />
        </AppContext>
      )}
      <StatusBar />
    </div>
  )
}

/** Speaks when a session comes to need a person, fails or is done; never countdowns or progress. */
function LiveRegion() {
  const { w, s } = useWords()
  const transitions = useEngine((state) => state.transitions)
  const said = transitions.map((t) => {
    const say = s.say(t.say, 0)
    switch (t.shape) {
      case 'needs':
        return w.say.becameNeeds(t.name, say)
      case 'failed':
        return w.say.becameFailed(t.name, say)
      case 'done':
        return w.say.becameDone(t.name, say)
    }
  })
  return (
    <div className="sr" aria-live="polite" role="log">
      {said.map((text, i) => (
        <p key={`${i}${text}`}>{text}</p>
      ))}
    </div>
  )
}

const icons: Record<View, IconName> = {
  sessions: 'list',
  alarms: 'alarm',
  activity: 'chart',
  providers: 'routes',
  settings: 'gear',
}
const placeOf = (view: View): Place => (view === 'sessions' ? { view, selection: null } : { view })

function Rail({ view }: { view: View }) {
  const { w } = useWords()
  return (
    <nav className="rail" aria-label={w.rail.label}>
      <span className="mark">
        <Mark />
      </span>
      <RailLink to="sessions" on={view === 'sessions'} />
      <RailLink to="alarms" on={view === 'alarms'} />
      <RailLink to="activity" on={view === 'activity'} />
      <RailLink to="providers" on={view === 'providers'} />
      <span className="grow" />
      <RailLink to="settings" on={view === 'settings'} />
    </nav>
  )
}

function RailLink({ to, on }: { to: View; on: boolean }) {
  const { w } = useWords()
  const { mac } = useApp()
  // The only badge counts where a person is needed.
  const badge = useEngine((s) => (to === 'sessions' ? needYou(s) : 0))
  const name = w.views[to]
  return (
    <Tip
      side="right"
      label={
        <>
          {name}
          <Key keys={shortcuts[to]} />
        </>
      }
    >
      <a
        href={`#${pathOf(placeOf(to))}`}
        className={on ? 'on' : undefined}
        aria-label={badge > 0 ? w.rail.sessionsNeed(badge) : name}
        aria-current={on ? 'page' : undefined}
        aria-keyshortcuts={ariaKeys(to, mac)}
      >
        <Icon name={icons[to]} large />
        <span className="rail-name cut" aria-hidden="true">
          {to === 'providers' ? w.providers.title : name}
        </span>
        {/* a word and a number for who reads the page aloud by what is seen */}
        {badge > 0 && ' '}
        {badge > 0 && (
          <span className="badge" aria-hidden="true">
            {badge}
          </span>
        )}
      </a>
    </Tip>
  )
}
