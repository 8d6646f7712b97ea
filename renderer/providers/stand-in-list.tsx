import { useMemo } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Button } from '../parts/button.tsx'
import { outageText } from '../session/outage/outage-line.tsx'
import { providerOfTarget } from '../../shared/outage.ts'
import type { SessionView } from '../../shared/state.ts'

/**
 * Sessions that a person sent elsewhere, or wants a notice about, until a provider answers again. Each ends by a click.
 */
export function StandInList({ provider }: { provider?: string }) {
  const { navigation, actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const sessions = useEngine((s) => s.sessions)
  const waiting = useMemo(
    () => [...sessions.values()].filter(({ outage }) => outage && concerns(outage, provider)),
    [sessions, provider],
  )
  if (waiting.length === 0) return null
  return (
    <ul className={`s-outages meta${provider === undefined ? ' routes-outages' : ''}`} aria-label={w.outage.label}>
      {waiting.map(({ id, name, outage }) => (
        <li key={id} className="hstack">
          <Icon name={outage?.standIn === null ? 'bell' : 'routes'} />
          <button
            type="button"
            className="link"
            onClick={() => navigation.go({ view: 'sessions', selection: { kind: 'session', id, tab: 'timeline' } })}
          >
            {name}
          </button>
          <span className="grow cut" title={outage && outageText(outage, w)}>
            {outage && outageText(outage, w)}
          </span>
          <Button
            does="setOutage"
            small
            tone="quiet"
            disabled={!live}
            aria-label={w.outage.endOf(name)}
            onClick={() => void actions.setOutage({ session: id, tell: false, standIn: null })}
          >
            {w.outage.end}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const concerns = ({ failed, standIn }: NonNullable<SessionView['outage']>, provider: string | undefined): boolean =>
  provider === undefined ? standIn !== null : failed.some((target) => providerOfTarget(target) === provider)
