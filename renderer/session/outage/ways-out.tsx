import { Menu } from '@mantine/core'
import { useMemo } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import type { FailedAttempt, SessionView } from '../../../shared/state.ts'
import { targetText } from '../../../shared/target-text.ts'
import { standIns } from './stand-ins.ts'

/** While a session's turns fail: another model until the failed one answers again, and a notification of that. */
export function WaysOut({ session, tried }: { session: SessionView; tried: readonly FailedAttempt[] }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const { outage } = session
  const failed = useMemo(
    () => outage?.failed ?? [...new Set(tried.map(({ provider, model }) => `${provider}.${model}`))],
    [outage, tried],
  )
  const others = useStandIns(session, failed)
  if (failed.length === 0) return null
  const standIn = outage?.standIn ?? null
  const tell = outage?.tell ?? false
  const use = (target: string | null) => void actions.setOutage({ session: session.id, tell, standIn: target })
  const first = standIn ?? others[0]
  const more = others.filter((target) => target !== first)
  return (
    <>
      {first !== undefined && (
        <span className="hstack stand-in">
          <Button
            aria-pressed={standIn !== null}
            icon={standIn === null ? undefined : 'check'}
            disabled={!live}
            title={w.outage.useHint(targetText(first), failed.map(targetText).join(w.outage.or))}
            onClick={() => use(standIn === null ? first : null)}
          >
            <span className="cut">{w.outage.use(targetText(first))}</span>
          </Button>
          {more.length > 0 && (
            <Menu position="bottom-start">
              <Menu.Target>
                <IconButton icon="down" name={w.outage.useOther} disabled={!live} />
              </Menu.Target>
              <Menu.Dropdown aria-label={w.outage.useOther}>
                {more.map((target) => (
                  <MenuEntry key={target} text={w.outage.use(targetText(target))} onClick={() => use(target)} />
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      )}
      <Button
        tone="quiet"
        aria-pressed={tell}
        icon={tell ? 'check' : undefined}
        disabled={!live}
        title={w.outage.tellHint}
        onClick={() => void actions.setOutage({ session: session.id, tell: !tell, standIn })}
      >
        {w.outage.tell}
      </Button>
    </>
  )
}

function useStandIns(session: SessionView, failed: readonly string[]): readonly string[] {
  const providers = useEngine((s) => s.providers)
  const routing = useEngine((s) => s.routing)
  return useMemo(
    () => standIns({ providers: providers ?? [], routing: routing ?? null, session, failed }),
    [providers, routing, session, failed],
  )
}
