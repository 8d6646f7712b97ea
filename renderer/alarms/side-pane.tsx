import { useEffect, useRef, useState } from 'react'
import { AppContext, appOf, useApp, useLive, useShownApps, useUi, useWords, type App } from '../app-context.ts'
import type { Outcome } from '../control/outcome.ts'
import { Button, IconButton } from '../parts/button.tsx'
import type { ShownAlarms } from './all-alarms.ts'
import { History } from './history.tsx'
import { MissedCard } from './missed-card.tsx'
import { useOrder } from '../parts/use-order.ts'

/** Missed alarms that wait for a person's decision, and how the others ended. Below 1100 px it lies over the list. */
export function SidePane({ alarms }: { alarms: ShownAlarms }) {
  const app = useApp()
  const { ui } = app
  const { w, f } = useWords()
  const t = w.alarms
  const back = useFocusWhenOpened()
  const { missed, missedTotal } = alarms
  return (
    <aside className="pane side over" aria-label={t.side} data-pane-stop>
      <header className="pane-head">
        <IconButton
          ref={back}
          icon="left"
          className="narrow-only"
          name={t.back}
          onClick={() => ui.setState({ missedOpen: false })}
        />
        <h1>{t.missed}</h1>
        {missedTotal > 0 && <span className="meta num">{missedTotal}</span>}
        <span className="grow" />
        {missedTotal > 0 && <DismissAll count={missedTotal} />}
      </header>
      <div className="scroll m-body">
        <p className="meta">
          {missed.length === 0 && `${t.nothingMissed} `}
          {t.missedNote(f.span(alarms.retentionMs))}
        </p>
        <ul className="vstack" aria-label={t.missed}>
          {missed.map((one) => (
            <AppContext key={`${one.machine} ${one.key}`} value={appOf(app, one)}>
              <MissedCard missed={one} />
            </AppContext>
          ))}
        </ul>
        {missedTotal > missed.length && <p className="meta">{t.missedMore(missedTotal - missed.length)}</p>}
        <h2>{t.history}</h2>
        {alarms.history.length === 0 ? <p className="meta">{t.noHistory}</p> : <History history={alarms.history} />}
      </div>
    </aside>
  )
}

/** Nothing brings them back, so it asks; the button that was pressed is the question. */
function DismissAll({ count }: { count: number }) {
  const apps = useShownApps()
  const { w } = useWords()
  const live = useLive()
  const order = useOrder()
  const [sure, setSure] = useState(false)
  if (order.refused !== null)
    return (
      <span className="meta failed cut" role="alert" title={order.refused}>
        {order.refused}
      </span>
    )
  return (
    <Button
      does="dismissAllMissed"
      small
      tone={sure ? 'danger' : 'quiet'}
      busy={order.busy}
      disabled={!live}
      onBlur={() => setSure(false)}
      onClick={() => {
        if (sure) void order.give(() => dismissAll(apps))
        setSure(!sure)
      }}
    >
      {sure ? w.alarms.dismissAllSure(count) : w.alarms.dismissAll}
    </Button>
  )
}

/** At each engine that has some; what one refused is said, and done at the others all the same. */
async function dismissAll(apps: readonly App[]): Promise<Outcome<unknown>> {
  const missing = apps.filter(({ engine }) => (engine.getState().alarms?.missedTotal ?? 0) > 0)
  const outcomes = await Promise.all(missing.map(({ actions }) => actions.dismissAllMissed()))
  return outcomes.find(({ ok }) => !ok) ?? { ok: true, value: undefined }
}

function useFocusWhenOpened() {
  const open = useUi((s) => s.missedOpen)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) button.current?.focus()
  }, [open])
  return button
}
