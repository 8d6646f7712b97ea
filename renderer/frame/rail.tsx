import { useApp, useEngine, useWords } from '../app-context.ts'
import { Icon, type IconName, Mark } from '../icons/icon.tsx'
import { ariaKeys, shortcuts } from '../keyboard/shortcuts.ts'
import { Key } from '../parts/key.tsx'
import { Tip } from '../parts/tip.tsx'
import { needYou } from '../state/engine.ts'
import { pathOf, type Place, type View } from '../state/place.ts'

const icons: Record<View, IconName> = {
  sessions: 'list',
  alarms: 'alarm',
  activity: 'chart',
  providers: 'routes',
  settings: 'gear',
}
const placeOf = (view: View): Place => (view === 'sessions' ? { view, selection: null } : { view })

export function Rail({ view }: { view: View }) {
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
