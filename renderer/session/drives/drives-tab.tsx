import { useState } from 'react'
import { useApp, useLive, useMay, useWords } from '../../app-context.ts'
import { Icon, type IconName } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { useOrder } from '../../parts/use-order.ts'
import { useMinute } from '../../time/engine-time.ts'
import {
  asksAtBound,
  isOpen,
  limitsUsed,
  isFree,
  usedOfBound,
  type DriveKind,
  type OwnDrive,
  type DriveLimits,
} from '../../../shared/drives.ts'
import { DrivesAsk } from './drives-ask.tsx'
import type { SessionView } from '../../../shared/state.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/trouble.tsx'
import { budgetText, parseBudget } from '../../settings/parse-budget.ts'

const icons: Readonly<Record<DriveKind, IconName>> = {
  goal: 'goal',
  loop: 'repeat',
  wakeup: 'alarm',
  schedule: 'alarm',
  command: 'term',
  monitor: 'term',
  agent: 'agents',
}

/** What the agent set itself to go on by, those that may begin a turn first. */
export function DrivesTab({ session }: { session: SessionView }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const order = useOrder()
  const t = w.drives
  const all = session.drives ?? []
  const open = all.filter(isOpen)
  const unsure = open.filter(({ state }) => state.is === 'unknown').length
  const stoppable = open.filter(isFree)
  const boundless = stoppable.filter(({ bound }) => !bound).length
  const [bounding, setBounding] = useState<string | null>(null)
  const stop = (drive: string | null) => void order.give(() => actions.stopDrive(session.id, drive))
  return (
    <section className="drives" aria-label={w.session.tabs.drives} tabIndex={0} data-pane-stop>
      <div className="dr-lead">
        <div>
          <h2>{t.title(open.length - unsure, unsure)}</h2>
          {boundless > 0 && <p className="meta">{t.boundless(boundless)}</p>}
        </div>
        {stoppable.length > 1 && session.say.code !== 'drives-ask' && (
          <Button does="stopDrive" small disabled={!live} busy={order.busy} onClick={() => stop(null)}>
            {t.stopAll}
          </Button>
        )}
      </div>
      {session.say.code === 'drives-ask' && (
        <section className="card asks" aria-label={w.card.attention}>
          <DrivesAsk id={session.id} say={session.say} />
        </section>
      )}
      {order.refused !== null && (
        <p className="meta failed dr-refused" role="alert">
          {order.refused}
        </p>
      )}
      {all.length > 0 && (
        <div className="dr head" aria-hidden="true">
          <span />
          <span>{t.what}</span>
          <span className="since">{t.since}</span>
          <span>{t.next}</span>
          <span className="r">{t.spent}</span>
          <span className="bd">{t.bound}</span>
          <span />
        </div>
      )}
      <ul>
        {[...open.toReversed(), ...all.filter((drive) => !isOpen(drive)).toReversed()].map((drive) => (
          <Row
            key={drive.id}
            drive={drive}
            session={session.id}
            isBounding={bounding === drive.id}
            setBounding={(on) => setBounding(on ? drive.id : null)}
            takeOver={
              drive.kind === 'goal' && drive.state.is === 'unknown' && drive.what !== null && !session.stopMessage
                ? {
                    disabled: !live || order.busy,
                    give: () =>
                      void order.give(() => actions.arm({ session: session.id, text: drive.what ?? '', review: true })),
                  }
                : null
            }
            stop={stoppable.includes(drive) ? { disabled: !live || order.busy, give: () => stop(drive.id) } : null}
            letGoOn={
              asksAtBound(drive) ||
              drive.state.is === 'stopping' ||
              (drive.state.is === 'stopped' && drive.state.how !== 'by-agent')
                ? {
                    disabled: !live || order.busy,
                    give: () => void order.give(() => actions.letDrives(session.id, drive.id)),
                  }
                : null
            }
          />
        ))}
      </ul>
    </section>
  )
}

const shapes: Partial<Record<OwnDrive['state']['is'], SessionShape>> = {
  stopping: 'held',
  stopped: 'paused',
  missed: 'needs',
  unknown: 'gone',
}

interface Offer {
  disabled: boolean
  give(): void
}

interface RowProps {
  drive: OwnDrive
  session: string
  stop: Offer | null
  letGoOn: Offer | null
  takeOver: Offer | null
  isBounding: boolean
  setBounding(on: boolean): void
}

function Row({ drive, session, stop, letGoOn, takeOver, isBounding, setBounding }: RowProps) {
  const { w, s, f } = useWords()
  const now = useMinute()
  const t = w.drives
  const { what, since, source, version, state, kind } = drive
  const name = what ?? s.driveKind(kind)
  const mayBound = useMay('boundDrive') && isFree(drive)
  // Most used first: that one is shown, all of them on demand.
  const share = (one: { used: number | null; limit: number }) => Math.min(1, (one.used ?? 0) / one.limit)
  const limits = (drive.bound ? limitsUsed(usedOfBound(drive, drive.bound), drive.bound, now) : []).toSorted(
    (a, b) => share(b) - share(a),
  )
  const [nearest] = limits
  const shape = asksAtBound(drive) ? 'needs' : state.is === 'missed' && state.rescued ? 'done' : shapes[state.is]
  const timed = 'next' in drive ? drive : null
  const next =
    timed && timed.next !== null
      ? timed.latest !== null && timed.latest - timed.next > 60_000
        ? t.between(f.minuteOfDay(timed.next, now), f.minute(timed.latest))
        : f.minuteOfDay(timed.next, now)
      : isOpen(drive) && !timed
        ? s.driveNext(drive)
        : null
  const cost = drive.tokens === 0 ? null : s.spent(drive)
  return (
    <li className={isOpen(drive) ? 'dr' : 'dr is-over'}>
      {shape ? <Shape shape={shape} /> : <Icon name={icons[kind]} />}
      <span className={kind === 'command' ? 'name cut mono' : 'name cut'} title={name}>
        {kind === 'command' || what === null ? name : `“${what}”`}
      </span>
      <span className="say meta" title={t.seenBy(source, version)}>
        {f.list([s.driveKind(kind), s.driveState(drive)])}
        <span className="t3 by dot">{t.seenBy(source, version)}</span>
      </span>
      <span className="since meta num" title={since === null ? t.sinceUnknown : f.instant(since)}>
        {since === null ? '—' : f.minuteOfDay(since, now)}
      </span>
      <span className="nx num">{next ?? <span className="t3">—</span>}</span>
      {timed && (timed.next ?? 0) > now && (
        <span className="nx2 meta num">{t.left(f.left(timed.next ?? now, now))}</span>
      )}
      <span className="r num">{cost ?? <span className="t3">—</span>}</span>
      {drive.tokens > 0 && <span className="r2 meta num">{f.tokens(drive.tokens)}</span>}
      {isOpen(drive) && (
        <span
          className={nearest ? 'bd num cut' : 'bd t3'}
          title={f.list(limits.map((one) => s.budget(one.budget, one.limit)))}
        >
          {nearest ? s.budget(nearest.budget, nearest.limit) : t.unbound}
        </span>
      )}
      {mayBound ? (
        <button
          type="button"
          className="link meta bd2 num"
          aria-expanded={isBounding}
          aria-label={t.boundFor(name)}
          onClick={() => setBounding(!isBounding)}
        >
          {nearest ? t.boundUsed(w.cost.percent(share(nearest) * 100)) : t.setOne}
        </button>
      ) : null}
      <span className="act">
        {takeOver && (
          <Button
            does="setStopMessage"
            small
            disabled={takeOver.disabled}
            title={t.takeOverHint}
            aria-label={`${t.takeOver}: ${name}`}
            onClick={takeOver.give}
          >
            {t.takeOver}
          </Button>
        )}
        {letGoOn && (
          <Button
            does="letDrives"
            small
            disabled={letGoOn.disabled}
            aria-label={`${t.letGoOn}: ${name}`}
            onClick={letGoOn.give}
          >
            {t.letGoOn}
          </Button>
        )}
        {stop && (
          <Button
            does="stopDrive"
            small
            tone="quiet"
            disabled={stop.disabled}
            aria-label={`${t.stop}: ${name}`}
            onClick={stop.give}
          >
            {t.stop}
          </Button>
        )}
      </span>
      {isBounding && mayBound && <BoundForm session={session} drive={drive} close={() => setBounding(false)} />}
    </li>
  )
}

const noLimits: DriveLimits = { rounds: null, hours: null, tokens: null, costUsd: null }
const limitNames = ['rounds', 'hours', 'tokens', 'costUsd'] as const

/** The bounds of one drive, in its row. */
function BoundForm({ session, drive, close }: { session: string; drive: OwnDrive; close(): void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const { busy, refused, refuse, give } = useOrder()
  const now = drive.bound ?? noLimits
  const [texts, setTexts] = useState(() => limitNames.map((name) => budgetText(now[name])))
  const t = w.drives
  const labels = [w.settings.budgetRounds, w.settings.budgetHours, w.settings.budgetTokens, w.settings.budgetCost]
  const whole = (i: number) => limitNames[i] === 'rounds' || limitNames[i] === 'tokens'
  const order = async (limits: DriveLimits) => {
    if ((await give(() => actions.boundDrive(session, drive.id, limits))).ok) close()
  }
  const save = () => {
    const wanted = { ...noLimits }
    for (const [i, name] of limitNames.entries()) {
      const limit = parseBudget(texts[i] ?? '', whole(i))
      if (limit === 'bad') return refuse(whole(i) ? w.settings.badWhole : w.settings.badNumber)
      wanted[name] = limit
    }
    void order(wanted)
  }
  return (
    <form
      className="dr-bound"
      aria-label={t.boundOf}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      {limitNames.map((name, i) => (
        <TextField
          key={name}
          label={labels[i] ?? name}
          inputMode={whole(i) ? 'numeric' : 'decimal'}
          placeholder={w.settings.noLimit}
          boxClass="num"
          value={texts[i] ?? ''}
          autoFocus={i === 0}
          disabled={!live}
          onChange={(event) => {
            const { value } = event.currentTarget
            setTexts((all) => all.map((text, n) => (n === i ? value : text)))
          }}
        />
      ))}
      <span className="hstack">
        <Button does="boundDrive" type="submit" tone="primary" small disabled={!live} busy={busy}>
          {t.boundSet}
        </Button>
        {drive.bound && (
          <Button does="boundDrive" small disabled={!live || busy} onClick={() => void order(noLimits)}>
            {t.boundNone}
          </Button>
        )}
        <Button small tone="quiet" onClick={close}>
          {t.close}
        </Button>
      </span>
      <Problem text={refused} />
    </form>
  )
}
