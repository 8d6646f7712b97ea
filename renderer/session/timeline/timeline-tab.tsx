import { type KeyboardEvent, memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../../app-context.ts'
import type { Words } from '../../i18n/index.ts'
import { Icon } from '../../icons/icon.tsx'
import { useVirtual } from '../../parts/use-virtual.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Missing } from '../../parts/missing.tsx'
import type { SessionView } from '../../../shared/state.ts'
import type { Sentences } from '../../../shared/sentences/types.ts'
import { findGroups } from './find-groups.ts'
import type { Followup } from './followup.ts'
import { groupEvents, type GroupRow, type FollowupRow } from './groups.ts'
import { Receipt } from './receipt.tsx'
import { sameRow, type ShownRow, type TimelineRow, timelineRows } from './rows.ts'
import { EventRowView } from './event-row.tsx'
import { TurnRowView } from './turn-row.tsx'
import { Shape } from '../../icons/shape.tsx'
import { toggled } from '../../state/ui.ts'
import type { FailuresRow } from './failed-runs.ts'
import { inOrder, type Timeline } from '../../state/timelines.ts'
import { useSaid } from '../../state/use-said.ts'

/** Midnight before an instant: a day's name costs a hundred times as much, and ten thousand events ask. */
const localDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)
const guess = (row: TimelineRow | undefined): number =>
  row?.kind === 'day' ? 32 : row?.row.kind === 'followup' ? 96 : 28
const skeleton = [
  ['30%', '46%'],
  ['52%', '38%'],
  ['40%', '60%'],
] as const

export function TimelineTab({
  session,
  scroller,
}: {
  session: SessionView
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { ui, loadTimeline, clock } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const timeline = useEngine((s) => s.timelines.get(session.id))
  const filter = useUi((s) => s.timelineFilter)
  const active = useUi((s) => s.activeRow)
  const opened = useUi((s) => s.openWhys)
  const events = timeline?.events
  const query = useUi((state) => state.timelineQuery) ?? ''
  const all = useMemo(() => groupEvents(events ?? []), [events])
  const groups = useMemo(() => findGroups(all, query, (row) => saidIn(row, s)), [all, query, s])
  const rest = filter === 'all' ? 'asides' : 'all'
  const rows = useMemo(() => timelineRows(groups, filter, localDay, opened), [groups, filter, opened])
  const box = useRef<HTMLDivElement>(null)
  const margin = useOffset(box, scroller)
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => guess(rows[i]),
    getItemKey: (i) => rows[i]?.key ?? i,
    overscan: 10,
    scrollMargin: margin,
  })
  const older = () => {
    const first = events?.[0]
    if (first) void loadTimeline(session.id, first.seq)
  }

  useLookBack(session.id, query, rows.length > 0, timeline, older)
  const running = session.say.code === 'working' ? session.say.turn : null
  const route = session.route ? `${session.route.provider}/${session.route.model}` : null
  const items = rows.flatMap((row, index) => (row.kind === 'item' ? [{ key: row.key, index }] : []))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    const at = items.findIndex((item) => item.key === active)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = items[Math.max(0, Math.min(items.length - 1, to))]
    if (!next) return
    ui.setState({ activeRow: next.key })
    virtual.scrollToIndex(next.index, { align: 'auto' })
  }

  if (!timeline || (timeline.phase !== 'ready' && timeline.events.length === 0))
    return (
      <Missing
        loading={w.timeline.loading}
        rows={skeleton}
        failed={w.timeline.failed}
        problem={timeline?.phase === 'failed' ? (timeline.problem ?? '') : null}
        disabled={!live}
        onRetry={() => void loadTimeline(session.id)}
      />
    )
  const olderButton = (
    <Button disabled={!live} busy={timeline.phase === 'loading'} onClick={older}>
      {w.timeline.older}
    </Button>
  )
  if (rows.length === 0)
    return timeline.events.length === 0 ? (
      <Empty icon="bolt" title={w.timeline.emptyTitle} text={w.timeline.emptyText} />
    ) : (
      <Empty title={query === '' ? w.timeline.emptyFilter : w.timeline.findNone(query)}>
        {query === '' ? (
          <Button onClick={() => ui.setState({ timelineFilter: rest })}>{w.timeline[rest]}</Button>
        ) : (
          timeline.more && olderButton
        )}
      </Empty>
    )
  return (
    <section ref={box} className="tl" aria-label={w.timeline.label} tabIndex={0} data-pane-stop onKeyDown={onKeyDown}>
      <div className="rows" role="list" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              className={`row-at${row.kind === 'item' && row.first ? ' tl-gap' : ''}`}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              {row.kind === 'day' ? (
                <div className="tl-day">{f.day(row.at, clock.now())}</div>
              ) : (
                <ItemRow
                  row={row.row}
                  linked={row.linked}
                  active={row.key === active}
                  running={running}
                  route={route}
                />
              )}
            </div>
          )
        })}
      </div>
      {timeline.more && <div className="tl-more">{olderButton}</div>}
    </section>
  )
}

/** Returns a row's words, for a search. */
function saidIn(row: GroupRow, s: Sentences): string {
  switch (row.kind) {
    case 'turn':
      return row.ended ? s.event(row.ended) : ''
    case 'event':
      return s.event(row.event)
    case 'followup':
      return row.followup.text ?? ''
  }
}

/**
 * Where the list begins inside the scroller: cards of changing height stand above it. The observer reports the first
 * height too.
 */
function useOffset(box: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useEffect(() => {
    const outer = scroller.current
    if (!outer) return
    const watch = new ResizeObserver(() => {
      const inner = box.current?.firstElementChild
      if (!inner) return
      const next = Math.round(inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop)
      setOffset((before) => (Math.abs(before - next) < 1 ? before : next))
    })
    // The cards above the list change with the session's state, so they are looked up after every render.
    for (const child of outer.children) watch.observe(child)
    return () => watch.disconnect()
  })
  return offset
}

interface Props {
  row: ShownRow
  linked: boolean
  active: boolean
  /** number of the turn that runs now */ running: number | null
  /** where the session's turns go */ route: string | null
}

/** Events are folded anew with every one that comes; rows that look the same are not drawn again. */
const ItemRow = memo(
  Row,
  (a, b) =>
    sameRow(a.row, b.row) &&
    a.linked === b.linked &&
    a.active === b.active &&
    (isRunning(b.row) ? a.running === b.running && a.route === b.route : true),
)

const isRunning = (row: ShownRow): boolean => row.kind === 'turn' && row.ended === null

function Row({ row, linked, active, running, route }: Props) {
  switch (row.kind) {
    case 'turn':
      return <TurnRowView row={row} active={active} running={running} route={route} />
    case 'followup':
      return <FollowupRowView row={row} linked={linked} active={active} />
    case 'failures':
      return <FailuresRowView row={row} active={active} />
    case 'event':
      return <EventRowView row={row} linked={linked} active={active} />
  }
}

/** Failures in a row: how many, from when to when, and why. Opened, each stands below it. */
function FailuresRowView({ row, active }: { row: FailuresRow; active: boolean }) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const { key, at, since, count, last, side } = row
  const open = useUi((state) => state.openWhys.has(key))
  const said = (side ? w.timeline.sideFailures : w.timeline.failures)(count, f.minute(since), f.minute(last.at))
  return (
    <div className={`tl-turn${side ? ' quiet' : ''}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      <Shape shape="failed" name={s.shape('failed')} />
      <div className="tl-what">
        <b>{said}</b>
        {w.timeline.failuresWhy(s.turnFailure(last.body))}{' '}
        <button
          type="button"
          className="why"
          data-why={key}
          aria-expanded={open}
          aria-label={w.timeline.whyOf(open ? w.timeline.foldFailures : w.timeline.allFailures(count), said)}
          onClick={() => ui.setState((state) => ({ openWhys: toggled(state.openWhys, key), activeRow: key }))}
        >
          {open ? w.timeline.foldFailures : w.timeline.allFailures(count)}
        </button>
      </div>
      <span className="tl-side" />
    </div>
  )
}

/** While nothing that is loaded says the words of a search, loads older pages down to the newest event that does. */
function useLookBack(
  session: string,
  query: string,
  isFound: boolean,
  timeline: Timeline | undefined,
  loadOlder: () => void,
): void {
  const [newest] = useSaid(isFound ? '' : query, session, 1)
  const first = timeline?.events[0]
  const isOlder =
    newest !== undefined && first !== undefined && timeline?.phase === 'ready' && inOrder(newest, first) < 0
  useEffect(() => {
    if (isOlder) loadOlder()
    // once for each page: the first event that is loaded tells them apart
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOlder, first?.id])
}

/** One followup from queued to confirmed, with the text that was typed. */
function FollowupRowView({ row, linked, active }: { row: FollowupRow; linked: boolean; active: boolean }) {
  const words = useWords()
  const { w, f, s } = words
  const { followup, at } = row
  return (
    <div className={`tl-ev${linked ? ' linked' : ''}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      {followup.end?.kind === 'failed' ? <Shape shape="failed" name={words.s.shape('failed')} /> : <Icon name="type" />}
      <div className="tl-what">
        {followup.end?.kind === 'other' ? (
          <span className="no">{titleOf(followup, words)}</span>
        ) : (
          titleOf(followup, words)
        )}
        {followup.used && <span className="t3"> — {w.timeline.roundUsed(followup.used.used, followup.used.max)}</span>}
        {followup.text !== null && (
          <p className="quote" tabIndex={followup.text.length > 1000 ? 0 : undefined}>
            {followup.text}
          </p>
        )}
        {followup.escaped && <p className="t3">{s.event(followup.escaped)}</p>}
        {followup.end?.kind !== 'other' && <Receipt followup={followup} />}
      </div>
      <span className="tl-side" />
    </div>
  )
}

function titleOf(followup: Followup, { w, s }: Words): string {
  if (followup.end?.kind === 'failed') return s.fail(followup.end.reason)
  if (followup.end?.kind === 'other') return s.event(followup.end.event)
  if (followup.confirmed) return followup.source === 'user' ? w.timeline.userConfirmed : w.timeline.confirmed
  if (followup.submittedAt !== null) return w.timeline.submitted
  if (followup.hold) return s.hold(followup.hold)
  if (followup.typedAt !== null) return w.timeline.typing
  return s.event({
    id: '',
    seq: 0,
    at: 0,
    sessionId: null,
    scope: null,
    requestId: null,
    body: {
      type: 'queued',
      entryId: followup.id,
      source: followup.source ?? 'stopMessage',
      text: '',
      round: followup.round,
    },
  })
}
