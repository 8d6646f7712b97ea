import { useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Offered } from '../parts/offered.tsx'
import { Switch } from '../parts/switch.tsx'
import { Ticking } from '../time/ticking.tsx'
import type { Quota, ProviderView } from '../../shared/routing.ts'
import type { SessionView } from '../../shared/state.ts'
import { countdown, isFull, nearlyUsed, OFFERED, quotaName, quotasOf } from './quotas.ts'

/** A provider at its limit: how full its windows are, when they lift, and who goes on then. */
export function LimitBlock({ provider, waiting }: { provider: ProviderView; waiting: readonly SessionView[] }) {
  const { w } = useWords()
  return (
    <div className="p-open">
      {quotasOf(provider).map((quota) => (
        <QuotaBar key={quota.window} quota={quota} />
      ))}
      {waiting.length > 0 ? <Resume waiting={waiting} /> : <p className="q2 meta">{w.providers.noneWaits}</p>}
    </div>
  )
}

/** Near a limit: followups may wait for the reset instead of running into it. */
export function PauseOffer({ provider }: { provider: ProviderView }) {
  const { actions, clock } = useApp()
  const { w } = useWords()
  const t = w.providers
  const live = useLive()
  const limits = useEngine((s) => s.routing?.limits)
  const near = limits && nearlyUsed(provider.quotas, limits, clock.now())
  if (!near) return null
  const used = t.quotaUsed(Math.floor(near.usedPercent), quotaName(near.window, t))
  return (
    <div className="p-open hstack q2">
      <span className="meta cut">{used}</span>
      <span className="grow" />
      <Button
        does="setSetting"
        small
        tone="quiet"
        disabled={!live}
        onClick={() => void actions.pauseAtLimit(OFFERED, t.pausedAt(OFFERED))}
      >
        {t.pauseAt(OFFERED)}
      </Button>
    </div>
  )
}

function QuotaBar({ quota }: { quota: Quota }) {
  const { w, f, language, zone } = useWords()
  const { clock } = useApp()
  const t = w.providers
  const { usedPercent: used, resetsAt } = quota
  const name = quotaName(quota.window, t)
  const full = isFull(quota)
  const when =
    resetsAt === null ? t.liftsUnknown : t.lifts(lifting(resetsAt, clock.now(), language, f.minute(resetsAt), zone))
  const counts = full && resetsAt !== null && countdown(resetsAt - clock.now()) !== null
  return (
    <div className="q">
      <div className="hstack">
        <span className="meta cut">{name}</span>
        <span className="grow" />
        {counts ? (
          <>
            <Ticking
              className="num strong"
              title={f.instant(resetsAt)}
              text={(now) => countdown(resetsAt - now) ?? f.left(resetsAt, now)}
            />
            <span className="meta">{t.untilLifts}</span>
          </>
        ) : (
          <>
            {used !== null && <span className="num">{Math.round(used)}%</span>}
            <span className="meta cut" title={resetsAt === null ? undefined : f.instant(resetsAt)}>
              {when}
            </span>
          </>
        )}
      </div>
      {used !== null && (
        <div
          className="q-bar"
          role="progressbar"
          aria-valuenow={Math.round(used)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-label={t.usedOf(name)}
        >
          <i style={{ width: `${Math.min(100, used)}%` }} className={full ? 'full' : undefined} />
        </div>
      )}
    </div>
  )
}

/** `16:00` within a day, `Thursday 09:00` within a week, else the date. */
function lifting(at: number, now: number, language: string, minute: string, timeZone: string | undefined): string {
  const left = at - now
  if (left < 20 * 3_600_000) return minute
  const day = new Intl.DateTimeFormat(
    language === 'en' ? 'en-GB' : language,
    left < 6.5 * 86_400_000 ? { weekday: 'long', timeZone } : { day: 'numeric', month: 'long', timeZone },
  ).format(at)
  return `${day} ${minute}`
}

/** One switch for everybody who waits at this limit: on when all of them go on by themselves. */
function Resume({ waiting }: { waiting: readonly SessionView[] }) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [busy, setBusy] = useState(false)
  const on = waiting.filter((session) => session.limit?.resume === true).length
  const change = async (next: boolean) => {
    setBusy(true)
    await actions.resumeAtReset(
      waiting.filter((session) => session.limit?.resume !== next).map(({ id }) => id),
      next,
    )
    setBusy(false)
  }
  const names = f.list(waiting.map(({ name }) => name))
  return (
    <div className="hstack q2">
      <Offered to="setResumeAtReset">
        <Switch checked={on === waiting.length} disabled={!live || busy} onChange={(next) => void change(next)}>
          <span>{w.providers.resume(waiting.length)}</span>
        </Switch>
      </Offered>
      <span className="meta cut" title={names}>
        {on > 0 && on < waiting.length ? f.list([w.providers.resumeSome(on, waiting.length), names]) : names}
      </span>
    </div>
  )
}
